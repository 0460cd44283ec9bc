"""QCN with its default parameters, transcribed into Python: the two points of `setpoint.run`."""

import setpoint

SET_POINT, SAMPLE_BASE, WEIGHT = 26_000, 150_000, 2
BYTE_RESET, TIME_RESET_PS, THRESHOLD = 150_000, 15 * 10**9, 5
ACTIVE_INCREASE, HYPER_INCREASE, MIN_RATE = 5_000_000, 50_000_000, 5_000_000
PARTS = 256


def jittered(interval: int, random: setpoint.Random) -> int:
    half = interval * 15 // 100
    return interval - half + ((2 * half + 1) * random() >> 32)


class CongestionPoint:
    """Samples about one frame in a hundred, more often under congestion."""

    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        self.random = random
        self.to_sample = SAMPLE_BASE
        self.old_queue = 0
        self.counters = {"samples": 0, "notifications": 0}

    def on_enqueue(self, arrival: setpoint.Arrival) -> setpoint.Notification | None:
        self.to_sample -= arrival.frame_bytes
        if self.to_sample >= 0:
            return None
        queue = arrival.queue_bytes
        offset, delta = SET_POINT - queue, queue - self.old_queue
        largest = SET_POINT * (2 * WEIGHT + 1)
        magnitude = min(max(-offset + WEIGHT * delta, 0), largest)
        feedback = min(magnitude * 63 // largest, 63)
        interval = SAMPLE_BASE * [300, 150, 100, 75, 60, 50, 43, 37][feedback // 8] // 300
        self.to_sample = jittered(interval, self.random)
        self.old_queue = queue
        self.counters["samples"] += 1
        if feedback == 0:
            return None
        self.counters["notifications"] += 1
        return setpoint.Notification(feedback, queue_offset_bytes=offset, queue_delta_bytes=delta)


class ReactionPoint:
    """Cuts its rate when it is notified; a byte counter and a timer raise it again."""

    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        self.random = random
        self.max_rate = self.rate_bps = self.target = line_rate_bps
        self.active = False
        self.bytes_left = 2**62
        self.byte_stage = self.time_stage = 0
        self.timer_ps: int | None = None
        self.counters = dict.fromkeys(
            ["decreases", "kept_targets", "target_reductions", *(f"{phase}_cycles" for phase in PHASES)], 0
        )

    def on_notification(self, notification: setpoint.Notification, time_ps: int, from_point: int) -> None:
        if notification.feedback == 0:
            return
        if self.rate_bps == self.max_rate or self.byte_stage != 0:
            self.target = self.rate_bps
            self.bytes_left = BYTE_RESET
        else:
            self.counters["kept_targets"] += 1
        kept = self.rate_bps * (128 * PARTS - notification.feedback * PARTS) >> 15
        self.rate_bps = max(kept, MIN_RATE)
        self.byte_stage = self.time_stage = 0
        self.active = True
        self.counters["decreases"] += 1
        self.timer_ps = time_ps + TIME_RESET_PS

    def on_sent(self, frame_bytes: int) -> None:
        self.bytes_left -= frame_bytes
        if self.bytes_left < 0:
            self.byte_stage += 1
            self.bytes_left = jittered(BYTE_RESET // (2 if self.byte_stage > THRESHOLD else 1), self.random)
            self.rise()

    def on_timer(self, time_ps: int) -> None:
        self.time_stage += 1
        period = TIME_RESET_PS // (2 if self.time_stage > THRESHOLD else 1)
        self.timer_ps = time_ps + jittered(period, self.random)
        self.rise()

    def may_release(self, waiting: bool) -> bool:
        return not self.active or not waiting

    def rise(self) -> None:
        stages = (self.byte_stage, self.time_stage)
        past = THRESHOLD + 1
        if max(stages) < past:
            phase, increment = "fast_recovery", 0
        elif min(stages) < past:
            phase, increment = "active_increase", ACTIVE_INCREASE
        else:
            phase, increment = "hyper_increase", HYPER_INCREASE * (min(stages) - past + 1)
        self.counters[f"{phase}_cycles"] += 1
        if 1 in stages and self.target > 10 * self.rate_bps:
            self.target = max(self.target // 8, self.rate_bps)
            self.counters["target_reductions"] += 1
        else:
            self.target = min(self.target + increment, self.max_rate)
        self.rate_bps = min(self.rate_bps + (self.target - self.rate_bps + 1) // 2, self.max_rate)


PHASES = ["fast_recovery", "active_increase", "hyper_increase"]
