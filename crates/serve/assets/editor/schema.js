// Looks up tables and values in a JSON schema: $ref, allOf, anyOf and oneOf, arrays, additional properties.

// Plain nodes that a node represents: references are followed and unions are listed. Every alternative inherits the
// description and the default of the union.
export function expand(root, node, seen = []) {
  if (!node || typeof node !== "object") return [];
  if (node.$ref) {
    if (seen.includes(node.$ref)) return [];
    const { $ref, ...own } = node;
    return expand(root, { ...follow(root, $ref), ...own }, [...seen, $ref]);
  }
  if (node.allOf) {
    const { allOf, ...own } = node;
    const parts = [...allOf.flatMap((part) => expand(root, part, seen)), own];
    const properties = Object.assign({}, ...parts.map((part) => part.properties));
    const required = parts.flatMap((part) => part.required ?? []);
    return expand(root, Object.assign({}, ...parts, { properties, required }), seen);
  }
  const union = node.anyOf ?? node.oneOf;
  if (!union) return [node];
  const { description, default: value } = node;
  return union.flatMap((part) => expand(root, part, seen)).map((part) => ({
    ...part,
    description: description ?? part.description,
    default: value === undefined ? part.default : value,
  }));
}

function follow(root, ref) {
  if (!ref.startsWith("#")) return {};
  return ref.slice(1).split("/").slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((node, part) => node?.[part], root) ?? {};
}

// The plain nodes at a path of keys; elements of arrays have numbers.
export function nodesAt(root, path) {
  return path.reduce((nodes, part) => nodes.flatMap((node) => expand(root, child(node, part))), expand(root, root));
}

function child(node, part) {
  if (node.items && /^\d+$/.test(part)) return node.items;
  if (node.properties && Object.hasOwn(node.properties, part)) return node.properties[part];
  for (const [pattern, value] of Object.entries(node.patternProperties ?? {})) {
    if (new RegExp(pattern, "u").test(part)) return value;
  }
  return node.additionalProperties;
}

// The keys that nodes allow, `[{ name, nodes, required }]`, in the order of the schema.
export function keysOf(root, nodes) {
  const keys = new Map();
  for (const node of nodes) {
    for (const [name, value] of Object.entries(node.properties ?? {})) {
      const key = keys.get(name) ?? { name, nodes: [], required: false };
      key.nodes.push(...expand(root, value));
      key.required ||= node.required?.includes(name) ?? false;
      keys.set(name, key);
    }
  }
  return [...keys.values()];
}

export const isTable = (node) => node.type === "object" || node.properties !== undefined;

// A choice among several tables, such as control.qcn or control.smcc, of which exactly one may be present.
export const isChoice = (node) => isTable(node) && node.maxProperties === 1;

// A table without any possible key, such as control.none.
export const isEmpty = (node) => node.additionalProperties === false && Object.keys(node.properties ?? {}).length === 0;

export const describe = (nodes) => nodes.find((node) => node.description)?.description ?? "";

export function defaultOf(nodes) {
  return nodes.find((node) => node.default !== undefined)?.default;
}

// Every table that a header can name: `[{ path, array, nodes }]`, parents first.
export function tablesOf(root) {
  if (known.has(root)) return known.get(root);
  const found = [];
  const visit = (path, nodes) => {
    if (path.length > 6) return;
    for (const { name, nodes: values } of keysOf(root, nodes)) {
      const here = [...path, name];
      const tables = values.filter((node) => isTable(node) && !isEmpty(node));
      const elements = values.filter((node) => node.type === "array")
        .flatMap((node) => expand(root, node.items).map((item) => ({ ...item, description: node.description })))
        .filter(isTable);
      if (elements.length && here.length === 1) found.push({ path: here, array: true, nodes: elements });
      if (tables.length && !tables.every(isChoice)) found.push({ path: here, array: false, nodes: tables });
      visit(here, tables);
    }
  };
  visit([], expand(root, root));
  known.set(root, found);
  return found;
}

// A schema has hundreds of tables and does not change; completion uses the list at every keystroke.
const known = new WeakMap();
