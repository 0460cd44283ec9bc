//! `static_page ENGINE DIR`: writes the page as static files into the folder `lab` of DIR. ENGINE is the folder with the engine
//! for browsers, which `./site` builds before it calls this program.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use setpoint_serve::{Engine, static_page};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, site] = &arguments[..] else { return Err("usage: static_page ENGINE DIR".into()) };
    let (engine, site) = (Path::new(engine), Path::new(site));
    if fs::read_dir(site).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(format!("{} is not empty; choose another folder", site.display()).into());
    }
    let read = |name: &str| {
        let path = engine.join(name);
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let engine = Engine { wasm: read("engine.wasm")?, script: read("engine.js")? };
    for (name, content) in static_page(engine) {
        let path = site.join("lab").join(name);
        fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
        fs::write(&path, content)?;
    }
    println!("{}", site.join("lab/index.html").display());
    Ok(())
}
