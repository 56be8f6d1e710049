package dev.spur.policies.elasticflow;

import dev.spur.policies.elasticflow.Timeline.Piece;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Demand of a job in a partition: work by a deadline, at slot counts that are powers of two where the job allows any
 * count.
 *
 * @param job number of the job
 * @param deadline time by which the job must be complete; infinite for none
 * @param levels slot counts that the job may have, ascending, each faster than the previous one, at least one
 * @param roundSeconds length of a round: slots change hands at its end, and plans consist of whole rounds from now on
 */
record DeadlineDemand(
        RoundView view, NodePartition partition, int job, double deadline, List<Integer> levels, double roundSeconds) {
    /** Work below this fraction of the total counts as done, against rounding errors. */
    private static final double ROUNDING = 1e-9;

    DeadlineDemand {
        levels = List.copyOf(levels);
    }

    static DeadlineDemand of(RoundView view, NodePartition partition, int job, double deadline, double roundSeconds) {
        List<Integer> powers = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int slots : view.counts(job, partition)) {
            addIfFaster(view, partition, job, slots, all);
            if (Integer.bitCount(slots) == 1) {
                addIfFaster(view, partition, job, slots, powers);
            }
        }
        return new DeadlineDemand(view, partition, job, deadline, powers.isEmpty() ? all : powers, roundSeconds);
    }

    /** Adds the level if the job is faster on it than on the previous one. */
    private static void addIfFaster(RoundView view, NodePartition partition, int job, int slots, List<Integer> levels) {
        int last = levels.isEmpty() ? 0 : levels.get(levels.size() - 1);
        if (view.goodput(job, partition, slots) > view.goodput(job, partition, last)) {
            levels.add(slots);
        }
    }

    /** Returns the seconds lost to the restart that {@code slots} require; 0 if the job already holds that number. */
    double restartSeconds(int slots) {
        boolean restarts = slots > 0 && slots != view.heldSlots(job);
        return restarts ? view.job(job).spec().restartPenaltySeconds() : 0;
    }

    /** Returns this demand without its deadline. */
    DeadlineDemand bestEffort() {
        return new DeadlineDemand(view, partition, job, Double.POSITIVE_INFINITY, levels, roundSeconds);
    }

    double speed(int slots) {
        return view.goodput(job, partition, slots);
    }

    double work() {
        return view.job(job).remainingSamples();
    }

    /** Returns the highest level up to {@code slots}; 0 if there is none. */
    int levelUpTo(int slots) {
        int best = 0;
        for (int level : levels) {
            best = level <= slots ? level : best;
        }
        return best;
    }

    /** Returns the next level above {@code slots}; 0 if there is none. */
    int levelAbove(int slots) {
        return levels.stream().filter(level -> level > slots).findFirst().orElse(0);
    }

    /**
     * Returns the minimum satisfactory share. It is the lowest level at which {@code work}, begun at {@code from},
     * completes by the deadline in the slots of {@code freeTimeline}, used as late as possible. Empty if no level
     * suffices.
     */
    Optional<List<SlotInterval>> share(Timeline freeTimeline, double from, double work) {
        if (work <= work() * ROUNDING) {
            return Optional.of(List.of());
        }
        List<Piece> pieces = freeTimeline.pieces(from, lastRoundEnd());
        for (int i = 0; i < levels.size(); i++) {
            int level = levels.get(i);
            double needed = work + restartSeconds(level) * speed(level);
            int cut = cut(pieces, level, needed);
            if (cut >= 0) {
                return Optional.of(forward(pieces, cut, level, i == 0 ? 0 : levels.get(i - 1), needed));
            }
        }
        return Optional.empty();
    }

    /** Returns the plan with the earliest end in the slots of {@code freeTimeline}. */
    List<SlotInterval> soonest(Timeline freeTimeline, double from) {
        int max = levels.get(levels.size() - 1);
        return forward(freeTimeline.pieces(from, Double.POSITIVE_INFINITY), 0, max, 0, work());
    }

    /** Returns the end of the last whole round before the deadline. */
    private double lastRoundEnd() {
        double rounds = Math.floor((deadline - view.now()) / roundSeconds + ROUNDING);
        return Double.isInfinite(rounds) ? deadline : view.now() + rounds * roundSeconds;
    }

    /** Rounds {@code seconds} up to the end of their last round. */
    double wholeRounds(double seconds) {
        return Math.max(1, Math.ceil(seconds / roundSeconds - ROUNDING)) * roundSeconds;
    }

    /** Returns the latest piece from which {@code level} suffices; -1 if it does not suffice even from the first. */
    private int cut(List<Piece> pieces, int level, double work) {
        double sum = 0;
        for (int i = pieces.size() - 1; i >= 0; i--) {
            Piece piece = pieces.get(i);
            int slots = levelUpTo(Math.min(level, piece.free()));
            sum += slots == 0 ? 0 : speed(slots) * (piece.end() - piece.start());
            if (sum >= work * (1 - ROUNDING)) {
                return i;
            }
        }
        return -1;
    }

    private List<SlotInterval> forward(List<Piece> pieces, int cut, int level, int before, double work) {
        List<SlotInterval> intervals = new ArrayList<>();
        double left = work;
        for (int i = 0; i < pieces.size() && left > work * ROUNDING; i++) {
            Piece piece = pieces.get(i);
            int slots = levelUpTo(Math.min(i >= cut ? level : before, piece.free()));
            if (slots > 0) {
                double seconds = Math.min(piece.end() - piece.start(), wholeRounds(left / speed(slots)));
                intervals.add(new SlotInterval(piece.start(), piece.start() + seconds, slots));
                left -= speed(slots) * seconds;
            }
        }
        return intervals;
    }
}
