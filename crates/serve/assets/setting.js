// Preferences of the user, which this browser keeps. A browser may deny access to its storage.

export function keptSetting(name) {
  try {
    return localStorage.getItem(`setpoint-${name}`);
  } catch {
    return null;
  }
}

export function keepSetting(name, value) {
  try {
    localStorage.setItem(`setpoint-${name}`, value);
  } catch {}
}
