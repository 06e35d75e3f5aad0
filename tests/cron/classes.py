"""Why another program has other runs than we do. sdk/README.md has the table, and an example of each class."""

MINUTE = 60
HOUR = 3600
DAY = 86400

# What the program does.
CLASSES = {
    "gap-dropped": "does not run what the clock jumps over",
    "gap-shifted": "runs it as if the clock had not jumped",
    "gap-early": "runs it before the clock jumps",
    "gap-hour": "runs it in the hour after the jump, at its minute",
    "gap-part": "takes an hour of which the clock jumps over a part for one that is not there",
    "gap-past": "goes on from where the time that is jumped over would be if the clock had not jumped; what comes before that is lost",
    "gap-day": "does not run what the clock jumps over, nor anything in the rest of that day",
    "fold-again": "runs a fixed time again when it comes again",
    "fold-later": "runs a fixed time only when it comes again",
    "fold-once": "runs an asterisk hour only once where the hour comes twice",
    "old-clock": "looks for the first run after the jump on the clock as it was before",
    "twice": "sets the first run after the jump twice if it is on a later day: it is off by as much as the clock was set",
    "stuck": "gives a time that is not later than the one it was asked for, or gives up: it never gets past the jump",
    "whole-range": "takes 1-31 or 0-6 for an asterisk when it joins the two fields of days",
    "never": "takes a date that never comes, which we refuse",
    "refused": "does not read the expression",
}

# What each of them was seen to do; nothing else explains a run of theirs.
SEEN = {
    "croner": {"gap-dropped", "fold-again", "never"},
    "cron-parser": {"gap-dropped", "gap-shifted", "gap-hour", "gap-part", "gap-past", "fold-again", "fold-later", "fold-once", "stuck", "never"},
    "croniter": {"gap-dropped", "gap-shifted", "gap-early", "fold-again", "fold-once", "old-clock", "twice", "stuck", "whole-range"},
    "systemd": {"gap-dropped", "gap-part", "gap-past", "gap-day", "fold-once", "stuck", "never", "refused"},
}


class Window:
    """An expression around one jump, with the runs of both programs."""

    def __init__(self, expression, jump, ours, theirs, is_stuck):
        self.expression = expression
        self.at, self.before, self.after = jump
        self.size = abs(self.after - self.before)
        self.is_fixed = not expression.stars[1]
        self.ours = set(ours)
        self.theirs = set(theirs)
        self.last = max(theirs, default=0)
        self.is_stuck = is_stuck
        self.last_before = max((time for time in theirs if time < self.at), default=self.at - DAY)
        self.first_after = min((time for time in theirs if time >= self.at), default=None)

    def offset_at(self, time):
        return self.before if time < self.at else self.after

    # ---- gaps ----

    def touched_hours(self):
        """The hours on the wall clock, counted from 1970, of which the gap takes a part or all."""
        return range((self.at + self.before) // HOUR, -(-(self.at + self.after) // HOUR))

    def is_shifted(self, time):
        return self.at <= time < self.at + self.size and self.expression.matches(time, self.before)

    def is_early(self, time):
        return self.at - self.size <= time < self.at and self.expression.matches(time, self.after)

    def is_in_next_hour(self, time):
        """A run of theirs in the first hour after those that the gap touches, with a minute of one of them."""
        hours, wall = self.touched_hours(), time + self.after
        return wall // HOUR == hours.stop and any(self.expression.matches(hour * HOUR + wall % HOUR, 0) for hour in hours)

    def is_in_touched_hour(self, time):
        """A run of ours in the part of an hour that is still there, while they have none in all of these hours."""
        hours = self.touched_hours()
        return ((time + self.offset_at(time)) // HOUR in hours and self.expression.matches(time, self.offset_at(time))
                and not any((other + self.offset_at(other)) // HOUR in hours for other in self.theirs))

    def is_passed_over(self, time):
        """A run of ours before a time at which the old clock shows one that is jumped over; until then they have none."""
        shifted = next((other for other in range(time + MINUTE, self.at + self.size, MINUTE) if self.expression.matches(other, self.before)), None)
        return (shifted is not None and self.at <= time and self.expression.matches(time, self.after)
                and not any(self.at <= other < shifted for other in self.theirs))

    def is_jumped_over(self):
        return any(self.expression.matches(wall, 0) for wall in range(self.at + self.before, self.at + self.after, MINUTE))

    def is_lost_day(self, time):
        """A run of ours after the jump, on a day on which they have none any more."""
        end = ((self.at + self.after) // DAY + 1) * DAY - self.after
        return self.at <= time < end and self.is_jumped_over() and not any(self.at <= other < end for other in self.theirs)

    def classes_of_gap(self, time, is_ours):
        if not is_ours:
            return [word for word, is_so in [("gap-shifted", self.is_shifted), ("gap-early", self.is_early), ("gap-hour", self.is_in_next_hour)]
                    if is_so(time)]
        words = []
        if time == self.at and self.is_fixed and not self.expression.matches(time, self.after):
            # They run it somewhere else, or nowhere.
            words = [word for other in sorted(self.theirs - self.ours) for word in self.classes_of_gap(other, False)] or ["gap-dropped"]
        if self.is_in_touched_hour(time):
            words.append("gap-part")
        if self.is_passed_over(time):
            words.append("gap-past")
        if self.is_fixed and self.is_lost_day(time):
            words.append("gap-day")
        return words

    # ---- folds ----

    def classes_of_fold(self, time, is_ours):
        comes_first = self.at - self.size <= time < self.at
        comes_again = self.at <= time < self.at + self.size
        if not is_ours:
            return ["fold-again"] if self.is_fixed and comes_again and self.expression.matches(time, self.after) else []
        runs_first = comes_again and time - self.size in self.theirs
        runs_again = comes_first and time + self.size in self.theirs
        if self.is_fixed:
            return ["fold-later"] if runs_again else []
        return ["fold-once"] if runs_first or runs_again else []

    # ---- all ----

    def is_old_clock(self, time, is_ours):
        """The first run of theirs after the jump, or one of ours that they have passed over until then."""
        first = self.first_after
        if first is None or not self.expression.matches(first, self.before):
            return False
        return self.at <= time < first if is_ours else time == first

    def is_set_twice(self, time, is_ours):
        """The first run of theirs after the jump, beside the one that is right on the new clock, on a later day than the one before."""
        right = time + self.after - self.before
        is_later_day = (max(time, right) + self.after) // DAY > (self.last_before + self.before) // DAY
        return not is_ours and time == self.first_after and is_later_day and self.expression.matches(right, self.after)

    def classify(self, time, known):
        """The first class among those that are known of the program to which a run belongs that only one of the two has, or None."""
        is_ours = time in self.ours
        words = []
        if self.size > 0:
            words += (self.classes_of_gap if self.after > self.before else self.classes_of_fold)(time, is_ours)
            if self.is_old_clock(time, is_ours):
                words.append("old-clock")
            if self.is_set_twice(time, is_ours):
                words.append("twice")
        if is_ours and self.is_stuck and time > self.last:
            words.append("stuck")
        if is_ours and self.expression.needs_both_days(time, self.offset_at(time)):
            words.append("whole-range")
        return next((word for word in words if word in known), None)
