"""What compare.py asks for: random expressions, and windows of time around every setting of the clock in three years."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

YEARS = range(2024, 2027)
DAY = 86400
# The first ones are the sample of ./test; cron-parser needs very long in Lord Howe and Chatham.
ZONES = [
    "Europe/Berlin", "America/Havana", "Africa/Casablanca", "America/New_York", "UTC", "Europe/London", "America/St_Johns",
    "Africa/Cairo", "Europe/Dublin", "America/Los_Angeles", "America/Santiago", "Asia/Beirut", "Asia/Kathmandu", "Asia/Jerusalem",
    "Australia/Adelaide", "Pacific/Auckland", "Antarctica/Troll", "America/Nuuk", "Australia/Lord_Howe", "Pacific/Chatham",
]
RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]
# Every program needs long for a run: a minute is seldom an asterisk, and ranges of minutes are short.
STARS = [0.01, 0.35, 0.75, 0.9, 0.6]
SPANS = [4, 24, 31, 12, 7]
STEPS = [(10, 30), (2, 12), (2, 12), (2, 11), (2, 6)]
# What chance does not find.
SPECIAL = ["0 12 1-31 * 5", "0 12 13 * 0-6", "0 0 30 2 *"]


def make_field(chance, part):
    """A value, a list, a range or a step; values that come twice are not read by all programs."""
    low, high = RANGES[part]
    first = chance.randint(low, high)
    last = chance.randint(first, min(high, first + SPANS[part] - 1))
    step = chance.randint(*STEPS[part])
    values = ",".join(str(value) for value in sorted(chance.sample(range(low, high + 1), 3)))
    return chance.choice([f"*/{step}", f"{first}-{last}", f"{first}-{last}/{step}", values, str(first), str(first), str(first)])


def make_expression(chance):
    fields = ["*" if chance.random() < STARS[part] else make_field(chance, part) for part in range(5)]
    # Most settings of a clock are at night.
    if chance.random() < 0.5 and fields[1] != "*":
        fields[1] = chance.choice(["0", "1", "2", "3", "0-3", "1,2", "*/2", "23"])
    return " ".join(fields)


def read_field(text, part):
    low, high = RANGES[part]
    values = set()
    for element in text.split(","):
        span, _, step = element.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            first, last = low, high
        elif not last:
            last = first
        values.update(range(int(first), int(last) + 1, int(step or 1)))
    return values


class Expression:
    def __init__(self, text):
        self.text = text
        self.fields = [read_field(field, part) for part, field in enumerate(text.split())]
        self.stars = [field == "*" for field in text.split()]

    def allows_day(self, wall, either):
        by_day = wall.day in self.fields[2]
        by_weekday = wall.isoweekday() % 7 in self.fields[4]
        return wall.month in self.fields[3] and (by_day or by_weekday if either else by_day and by_weekday)

    def matches(self, time, offset):
        """Whether a clock with this offset shows a time that is allowed."""
        wall = datetime.fromtimestamp(time + offset, timezone.utc)
        return (wall.second == 0 and wall.minute in self.fields[0] and wall.hour in self.fields[1]
                and self.allows_day(wall, not self.stars[2] and not self.stars[4]))

    def needs_both_days(self, time, offset):
        """Whether this time is allowed only if either of the two fields of days will do, though one of them has all values."""
        has_all = (not self.stars[2] and len(self.fields[2]) == 31) or (not self.stars[4] and len(self.fields[4]) == 7)
        return has_all and not self.allows_day(datetime.fromtimestamp(time + offset, timezone.utc), False)


def offset_of(zone, time):
    return int(datetime.fromtimestamp(time, zone).utcoffset().total_seconds())


def find_jumps(name):
    """The times at which the zone's clock is set, with the offsets before and after; for a zone without any, a day like others."""
    zone = ZoneInfo(name)
    time = int(datetime(YEARS[0], 1, 1, tzinfo=timezone.utc).timestamp())
    end = int(datetime(YEARS[-1] + 1, 1, 1, tzinfo=timezone.utc).timestamp())
    jumps = []
    while time < end:
        before = offset_of(zone, time)
        if offset_of(zone, time + DAY) != before:
            low, high = time, time + DAY
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset_of(zone, middle) == before else (low, middle)
            jumps.append((high, before, offset_of(zone, high)))
        time += DAY
    ordinary = int(datetime(YEARS[0], 3, 31, 1, tzinfo=timezone.utc).timestamp())
    return jumps or [(ordinary, offset_of(zone, ordinary), offset_of(zone, ordinary))]
