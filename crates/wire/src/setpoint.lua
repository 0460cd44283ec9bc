-- IEEE 802.1Qau in Wireshark: the CN-TAG (EtherType 0x22E9) and congestion notification messages (0x22E7).
--
-- Filters: cntag.flow, cnm.feedback, cnm.point, cnm.queue_offset, cnm.queue_delta, cnm.priority, cnm.destination, …
-- The preferences of CNM select the details on which public descriptions disagree.

local cntag = Proto("cntag", "Congestion Notification Tag (CN-TAG)")
local cnm = Proto("cnm", "Congestion Notification Message (CNM)")

local ethertypes = DissectorTable.get("ethertype")

local tag = {
    flow = ProtoField.uint16("cntag.flow", "Flow identifier", base.DEC),
    type = ProtoField.uint16("cntag.type", "Type", base.HEX),
    missing = ProtoField.uint32("cntag.missing", "Octets that were not captured, shown as zeros", base.DEC),
}
cntag.fields = { tag.flow, tag.type, tag.missing }

local message = {
    version = ProtoField.uint16("cnm.version", "Version", base.DEC, nil, 0xf000),
    reserved = ProtoField.uint16("cnm.reserved", "Reserved", base.HEX, nil, 0x0fc0),
    feedback = ProtoField.uint16("cnm.feedback", "Quantised feedback", base.DEC, nil, 0x003f),
    point = ProtoField.bytes("cnm.point", "Congestion point", base.COLON),
    address = ProtoField.ether("cnm.point.address", "Address"),
    index = ProtoField.uint16("cnm.point.index", "Index", base.HEX),
    queue_offset = ProtoField.int32("cnm.queue_offset", "Queue offset in octets"),
    queue_delta = ProtoField.int32("cnm.queue_delta", "Queue delta in octets"),
    priority = ProtoField.uint16("cnm.priority", "Priority of the sampled frame", base.DEC),
    destination = ProtoField.ether("cnm.destination", "Destination of the sampled frame"),
    length = ProtoField.uint16("cnm.length", "Octets of the sampled frame", base.DEC),
    sample = ProtoField.bytes("cnm.sample", "Sampled frame"),
    sample_type = ProtoField.uint16("cnm.sample.type", "Type", base.HEX),
}
cnm.fields = {
    message.version, message.reserved, message.feedback, message.point, message.address, message.index,
    message.queue_offset, message.queue_delta, message.priority, message.destination, message.length,
    message.sample, message.sample_type,
}

local wrong = {
    version = ProtoExpert.new("cnm.version.unknown", "The version is not 0", expert.group.PROTOCOL, expert.severity.WARN),
    length = ProtoExpert.new("cnm.length.invalid", "More than 64 octets", expert.group.MALFORMED, expert.severity.ERROR),
    short = ProtoExpert.new("cnm.short", "The message is cut off", expert.group.MALFORMED, expert.severity.ERROR),
    tag = ProtoExpert.new("cntag.short", "The tag is cut off", expert.group.MALFORMED, expert.severity.ERROR),
}
cnm.experts = { wrong.version, wrong.length, wrong.short }
cntag.experts = { wrong.tag }

local NEGATIVE, POSITIVE = 1, 2
local UPPER, LOWER = 1, 2
cnm.prefs.sign = Pref.enum("Queue offset", NEGATIVE, "The sign of the queue offset on the wire",
    { { 1, "negative when congested", NEGATIVE }, { 2, "positive when congested", POSITIVE } }, true)
cnm.prefs.unit = Pref.enum("Queue unit", 64, "The unit of the queue offset and the queue delta on the wire",
    { { 1, "64 octets", 64 }, { 2, "1 octet", 1 } }, true)
cnm.prefs.priority = Pref.enum("Priority", UPPER, "The position of the priority in its field",
    { { 1, "upper three bits", UPPER }, { 2, "lower three bits", LOWER } }, true)

local FIXED, MOST = 24, 64

-- The octets after the tag. A Lua dissector cannot pass on the information that a frame was truncated by the snap
-- length, so the dissectors of the headers that follow would report a wrong length. Missing octets are therefore
-- replaced by zeros.
local function after_tag(buffer, node)
    local missing = buffer:reported_len() - buffer:len()
    if missing == 0 then
        return buffer(4):tvb()
    end
    node:add(tag.missing, missing):set_generated()
    local octets = buffer(4):bytes()
    local kept = octets:len()
    octets:set_size(kept + missing)
    for index = kept, kept + missing - 1 do
        octets:set_index(index, 0)
    end
    return octets:tvb("After the CN-TAG")
end

function cntag.dissector(buffer, packet, tree)
    packet.cols.protocol = "CN-TAG"
    local node = tree:add(cntag, buffer(0, math.min(4, buffer:len())))
    if buffer:len() < 4 then
        node:add_proto_expert_info(wrong.tag)
        return buffer:len()
    end
    local flow, ethertype = buffer(0, 2), buffer(2, 2)
    node:add(tag.flow, flow)
    node:add(tag.type, ethertype)
    node:append_text(", flow " .. flow:uint())
    packet.cols.info = "CN-TAG, flow " .. flow:uint()
    if buffer:len() > 4 then
        ethertypes:try(ethertype:uint(), after_tag(buffer, node), packet, tree)
    end
    return buffer:len()
end

-- Adds the queue lengths in octets, and returns them.
local function add_queue(node, buffer)
    local offset, delta = buffer(10, 2), buffer(12, 2)
    local sign = cnm.prefs.sign == POSITIVE and -1 or 1
    node:add(message.queue_offset, offset, sign * offset:int() * cnm.prefs.unit)
    node:add(message.queue_delta, delta, delta:int() * cnm.prefs.unit)
    return sign * offset:int() * cnm.prefs.unit, delta:int() * cnm.prefs.unit
end

local function add_priority(node, field)
    local shift = cnm.prefs.priority == UPPER and 13 or 0
    node:add(message.priority, field, bit.band(bit.rshift(field:uint(), shift), 7))
end

local function add_sample(node, buffer)
    local length = buffer(22, 2)
    local item = node:add(message.length, length)
    if length:uint() > MOST then
        item:add_proto_expert_info(wrong.length)
        return
    end
    local kept = math.min(length:uint(), buffer:len() - FIXED)
    if kept > 0 then
        local sample = node:add(message.sample, buffer(FIXED, kept))
        if kept >= 2 then
            sample:add(message.sample_type, buffer(FIXED, 2))
        end
    end
    if kept < length:uint() then
        node:add_proto_expert_info(wrong.short)
    end
end

function cnm.dissector(buffer, packet, tree)
    packet.cols.protocol = "CNM"
    local node = tree:add(cnm, buffer())
    if buffer:len() < FIXED then
        node:add_proto_expert_info(wrong.short)
        return buffer:len()
    end
    local first = buffer(0, 2)
    local version = node:add(message.version, first)
    if bit.rshift(first:uint(), 12) ~= 0 then
        version:add_proto_expert_info(wrong.version)
    end
    node:add(message.reserved, first)
    node:add(message.feedback, first)
    local point = node:add(message.point, buffer(2, 8))
    point:add(message.address, buffer(2, 6))
    point:add(message.index, buffer(8, 2))
    local offset, delta = add_queue(node, buffer)
    add_priority(node, buffer(14, 2))
    node:add(message.destination, buffer(16, 6))
    add_sample(node, buffer)
    packet.cols.info = string.format("CNM, feedback %d, queue offset %d, queue delta %d, point %s",
        bit.band(first:uint(), 0x3f), offset, delta, tostring(buffer(2, 8):bytes()))
    return buffer:len()
end

ethertypes:add(0x22e9, cntag)
ethertypes:add(0x22e7, cnm)
