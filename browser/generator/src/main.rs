//! `generator ENGINE.wasm DIR`: writes the engine and its JavaScript glue, `engine.wasm` and `engine.js`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else { return Err("usage: generator ENGINE.wasm DIR".into()) };
    let folder = Path::new(folder);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).out_name("engine").web(true)?.typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)?;
    fs::rename(folder.join("engine_bg.wasm"), folder.join("engine.wasm"))?;
    Ok(())
}
