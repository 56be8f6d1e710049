package dev.spur.policies.elasticflow;

import dev.spur.policies.elasticflow.Timeline.Piece;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a job asks of a lane: work by a deadline, on numbers of slots that are powers of two where it allows any.
 *
 * @param job number of the job
 * @param deadline when it must be done; infinite if it need not
 * @param levels numbers of slots that it may have, ascending, each faster than the one before, at least one
 * @param roundSeconds length of a round: slots change hands at its end, and plans are made of whole rounds from now on
 */
record DeadlineDemand(
        RoundView snapshot, NodePartition lane, int job, double deadline, List<Integer> levels, double roundSeconds) {
    /** Work below this part of the whole counts as done, against rounding. */
    private static final double ROUNDING = 1e-9;

    DeadlineDemand {
        levels = List.copyOf(levels);
    }

    static DeadlineDemand of(RoundView snapshot, NodePartition lane, int job, double deadline, double roundSeconds) {
        List<Integer> powers = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int slots : snapshot.counts(job, lane)) {
            addIfFaster(snapshot, lane, job, slots, all);
            if (Integer.bitCount(slots) == 1) {
                addIfFaster(snapshot, lane, job, slots, powers);
            }
        }
        return new DeadlineDemand(snapshot, lane, job, deadline, powers.isEmpty() ? all : powers, roundSeconds);
    }

    /** A level on which the job is no faster than on the one before would be a waste. */
    private static void addIfFaster(RoundView snapshot, NodePartition lane, int job, int slots, List<Integer> levels) {
        int last = levels.isEmpty() ? 0 : levels.get(levels.size() - 1);
        if (snapshot.goodput(job, lane, slots) > snapshot.goodput(job, lane, last)) {
            levels.add(slots);
        }
    }

    /** Seconds that are lost at once if the job is to have {@code slots}: a restart, unless it has as many. */
    double restartSeconds(int slots) {
        boolean restarts = slots > 0 && slots != snapshot.held(job);
        return restarts ? snapshot.job(job).spec().restartPenaltySeconds() : 0;
    }

    /** This demand without its deadline. */
    DeadlineDemand bestEffort() {
        return new DeadlineDemand(snapshot, lane, job, Double.POSITIVE_INFINITY, levels, roundSeconds);
    }

    double speed(int slots) {
        return snapshot.goodput(job, lane, slots);
    }

    double work() {
        return snapshot.job(job).remainingSamples();
    }

    /** The highest level up to {@code slots}; 0 if there is none. */
    int levelUpTo(int slots) {
        int best = 0;
        for (int level : levels) {
            best = level <= slots ? level : best;
        }
        return best;
    }

    /** The level above {@code slots}; 0 if there is none. */
    int levelAbove(int slots) {
        return levels.stream().filter(level -> level > slots).findFirst().orElse(0);
    }

    /**
     * The minimum satisfactory share: the lowest level with which {@code work}, begun at {@code from}, is done by the
     * deadline in what {@code free} leaves, and that level only as late as it is needed. Empty if there is none.
     */
    Optional<List<SlotInterval>> share(Timeline free, double from, double work) {
        if (work <= work() * ROUNDING) {
            return Optional.of(List.of());
        }
        List<Piece> pieces = free.pieces(from, lastRoundEnd());
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

    /** The plan that ends as soon as may be in what {@code free} leaves. */
    List<SlotInterval> soonest(Timeline free, double from) {
        int most = levels.get(levels.size() - 1);
        return forward(free.pieces(from, Double.POSITIVE_INFINITY), 0, most, 0, work());
    }

    /** The end of the last whole round before the deadline. */
    private double lastRoundEnd() {
        double rounds = Math.floor((deadline - snapshot.now()) / roundSeconds + ROUNDING);
        return Double.isInfinite(rounds) ? deadline : snapshot.now() + rounds * roundSeconds;
    }

    /** {@code seconds} up to the end of their last round. */
    double wholeRounds(double seconds) {
        return Math.max(1, Math.ceil(seconds / roundSeconds - ROUNDING)) * roundSeconds;
    }

    /** The latest piece from which on {@code level} suffices; -1 if it does not even from the first. */
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
        List<SlotInterval> plan = new ArrayList<>();
        double left = work;
        for (int i = 0; i < pieces.size() && left > work * ROUNDING; i++) {
            Piece piece = pieces.get(i);
            int slots = levelUpTo(Math.min(i >= cut ? level : before, piece.free()));
            if (slots > 0) {
                double seconds = Math.min(piece.end() - piece.start(), wholeRounds(left / speed(slots)));
                plan.add(new SlotInterval(piece.start(), piece.start() + seconds, slots));
                left -= speed(slots) * seconds;
            }
        }
        return plan;
    }
}
