//! How bridges move frames from their inputs to their outputs.

use super::{Field, Shape};

/// Most cells that an input or an output of a spine has room for.
const MAX_CELLS: u64 = 65_535;

/// The paper that describes the bridge with input buffers.
pub(super) const UNBIASED: &str =
    "Chrysos and others, \"Unbiased QCN for scalable server-fabrics\" (2014), table I";
const CELL_SIZE: &str = "buffer units of 256 B in Chrysos and others (2014), section VI";

pub(super) fn fields() -> Vec<Field> {
    let output_queued = Field::table(
        "output-queued",
        Vec::new(),
        "A frame that arrives is put into the queue of its output at once: an ideal that no large bridge can be.",
    );
    vec![Field::derived(
        "bridge",
        Shape::OneOf(vec![output_queued, cioq()]),
        "`output-queued`; `cioq` in a rack fabric",
        "How bridges work inside: one of these tables.",
    )]
}

fn cioq() -> Field {
    let mut fields = inputs();
    fields.push(Field::value(
        "delivery",
        Shape::Choice(&["plain", "reliable"]),
        "plain",
        "How long an input keeps a frame: until all of it has left for the output, or, reliable, until the output \
         has begun to send it on and said so.",
    ));
    fields.push(cells());
    Field::table(
        "cioq",
        fields,
        "Combined input and output queues: a frame waits in the buffer of its input, in a virtual output queue, until \
         the arbiter of its output has granted it room there. Arbiters serve inputs in turn. Flow control follows \
         what an input holds. Room at an output is network.buffer.",
    )
}

fn inputs() -> Vec<Field> {
    vec![
        Field::value(
            "input_buffer",
            Shape::Size(&[]),
            "150 kB",
            "Room of an input port for each priority. With flow control, xoff and headroom must fit into it.",
        )
        .origin(UNBIASED),
        Field::value(
            "unit",
            Shape::Size(&[]),
            "256 B",
            "Input buffers are given out in units of this size: a frame takes as many as it needs, the last one whole.",
        )
        .origin(CELL_SIZE),
        Field::value(
            "speedup",
            Shape::Percent(100),
            "160 %",
            "How fast an input sends into the crossbar of a bridge, in terms of its link's rate. Of no effect \
             between spines, whose links have a rate of their own.",
        )
        .origin("the fabric's over-provisioning of 8:5 (Chrysos and others, 2014, section II-A)"),
        Field::value(
            "control_delay",
            Shape::Time,
            "300 ns",
            "How long a request takes from an input to the arbiter of an output; grants, acknowledgements and \
             notifications take as long the other way.",
        )
        .origin("a request and a grant then leave 400 ns to data of a fall-through latency of about 1 us"),
    ]
}

fn cells() -> Field {
    let fields = vec![
        Field::value("payload", Shape::Size(&[]), "256 B", "What a cell holds of a frame at most.")
            .origin(CELL_SIZE),
        Field::value("header", Shape::Size(&[]), "16 B", "What a cell has of its own."),
        Field::value(
            "spine_input",
            Shape::Integer(1, MAX_CELLS),
            "16",
            "Cells that each input of a spine has room for.",
        ),
        Field::value(
            "spine_output",
            Shape::Integer(1, MAX_CELLS),
            "16",
            "Cells that each output of a spine has room for.",
        ),
        Field::value(
            "spraying",
            Shape::Choice(&["round-robin", "random"]),
            "round-robin",
            "Which of a leaf's links a cell takes: one after another, or any with the same probability.",
        ),
    ];
    Field::table("cells", fields, "What crosses the spines of a rack fabric: frames are cut into cells.")
}
