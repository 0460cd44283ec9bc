//! A JSON schema for scenario files, for use in editors.

use serde_json::{Map, Value, json};
use setpoint_control::parameter::{Parameter, Unit};

use super::format::{self, Fallback, Field, Shape};

const NUMBER: &str = r"^\s*[0-9][0-9_]*(\.[0-9_]+)?\s*";
const TIME_UNITS: &str = r"(s|ms|us|µs|μs|ns|ps)\s*$";
const DELAY_UNITS: &str = r"(s|ms|us|µs|μs|ns|ps|km|m|cm|mm)\s*$";
const RATE_UNITS: &str = r"([TGMkK]?b/s|[TGMk]?bps)\s*$";
const DEVIATION_UNITS: &str = r"pp[mb]\s*$";
const PERCENT: &str = r"^\s*[0-9]+(\.[0-9]+)?\s*%\s*$";
const SIZE_UNITS: &str = r"([GMkK]?B|[GMK]iB)\s*$";

/// The JSON schema (draft 2020-12) for scenario files, derived from the same declarations
/// as the checks.
pub fn schema() -> Value {
    let mut schema = of_field(format::root());
    if let Value::Object(entries) = &mut schema {
        entries.shift_insert(
            0,
            String::from("$schema"),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        entries.shift_insert(1, String::from("title"), json!("Setpoint scenario"));
    }
    schema
}

fn of_field(field: &Field) -> Value {
    let mut schema = of_shape(&field.shape);
    if let Value::Object(entries) = &mut schema {
        entries.insert(String::from("description"), json!(field.doc));
        if let Some(default) = default(field) {
            entries.insert(String::from("default"), default);
        }
    }
    schema
}

/// The default, if it is a fixed value; defaults that depend on other keys are in the reference.
fn default(field: &Field) -> Option<Value> {
    let Fallback::Value(text) = &field.fallback else { return None };
    let value = match &field.shape {
        Shape::Integer(..) => text.parse::<u64>().map(Value::from).ok(),
        Shape::Parameter(parameter) if parameter.unit == Unit::Count => {
            text.parse::<u64>().map(Value::from).ok()
        }
        Shape::Flag => text.parse::<bool>().map(Value::from).ok(),
        _ => None,
    };
    Some(value.unwrap_or_else(|| json!(text)))
}

fn of_shape(shape: &Shape) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Integer(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
        Shape::Integer(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::NumberAbove(bound) => json!({ "type": "number", "exclusiveMinimum": bound }),
        Shape::Time(words) => quantity(TIME_UNITS, words),
        Shape::Delay => quantity(DELAY_UNITS, &[]),
        Shape::Rate(words) => quantity(RATE_UNITS, words),
        Shape::Size(words) => quantity(SIZE_UNITS, words),
        Shape::Deviation(_) => quantity(DEVIATION_UNITS, &[]),
        Shape::Percent(_) => json!({ "type": "string", "pattern": PERCENT }),
        Shape::Choice(words) => json!({ "type": "string", "enum": words }),
        Shape::Names => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ] }),
        Shape::List(inner, least, most) => {
            json!({ "type": "array", "items": of_shape(inner), "minItems": least, "maxItems": most })
        }
        Shape::Distribution => json!({ "type": "array", "minItems": 2, "items": {
            "type": "array",
            "prefixItems": [of_shape(&Shape::Size(&[])), { "type": "number", "minimum": 0, "maximum": 1 }],
            "minItems": 2,
            "maxItems": 2,
        } }),
        Shape::Table(fields) => object(fields),
        Shape::OneOf(kinds) => one_of(kinds),
        Shape::Entries(fields) => json!({ "type": "array", "items": object(fields) }),
        Shape::Parameter(parameter) => of_parameter(parameter),
        Shape::ParameterOfAny(parameters) => {
            let mut schemas: Vec<Value> = parameters.iter().map(|one| of_parameter(one)).collect();
            schemas.dedup();
            if let [one] = &schemas[..] { one.clone() } else { json!({ "anyOf": schemas }) }
        }
        Shape::Axes => json!({ "type": "object" }),
    }
}

fn quantity(units: &str, words: &[&str]) -> Value {
    let quantity = json!({ "type": "string", "pattern": format!("{NUMBER}{units}") });
    if words.is_empty() { quantity } else { json!({ "anyOf": [quantity, { "enum": words }] }) }
}

fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_string(), of_field(field))).collect();
    let is_required = |field: &&Field| matches!(field.fallback, Fallback::Required);
    // A file can inherit required keys through `extends`, so no key is required at the top level.
    let required: Vec<&str> = fields.iter().filter(is_required).map(|field| field.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": if required.contains(&"topology") { Vec::new() } else { required },
        "additionalProperties": false,
    })
}

fn one_of(kinds: &[Field]) -> Value {
    let mut table = object(kinds);
    if let Value::Object(entries) = &mut table {
        entries.insert(String::from("minProperties"), json!(1));
        entries.insert(String::from("maxProperties"), json!(1));
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    json!({ "anyOf": [{ "type": "string", "enum": names }, table] })
}

fn of_parameter(parameter: &Parameter) -> Value {
    match parameter.unit {
        Unit::Size => quantity(SIZE_UNITS, &[]),
        Unit::Time => quantity(TIME_UNITS, &[]),
        Unit::Rate => quantity(RATE_UNITS, &[]),
        Unit::RateOrLine => quantity(RATE_UNITS, &["line rate"]),
        Unit::Count => json!({ "type": "integer", "minimum": 0 }),
        Unit::Percent => json!({ "type": "string", "pattern": PERCENT }),
        Unit::Fraction => json!({ "anyOf": [
            { "type": "string", "pattern": r"^\s*[0-9]+\s*(/\s*[0-9]+\s*)?$" },
            { "type": "integer", "minimum": 0, "maximum": 1 },
        ] }),
        Unit::Power => json!({ "anyOf": [
            { "type": "string", "pattern": r"^\s*(2\^-?[0-9]+|1/[0-9]+|[0-9]+)\s*$" },
            { "type": "integer", "minimum": 1 },
        ] }),
        Unit::Switch => {
            json!({ "anyOf": [{ "type": "string", "enum": ["on", "off"] }, { "type": "boolean" }] })
        }
        Unit::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            json!({ "type": "string", "enum": names })
        }
    }
}
