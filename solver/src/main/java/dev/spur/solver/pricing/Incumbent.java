package dev.spur.solver.pricing;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.Room;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A first plan read off prices: every job gets the choice that it likes best at the prices, as long as the cluster holds it.
 * Who must run comes first, then those who keep what they hold, then the others, those first who would lose most by their
 * second choice.
 */
final class Incumbent {
    private final CandidateSet candidates;
    private final CouplingRows rows;
    private final double[] prices;
    private final Room room;
    private final int[] choice;
    private final List<List<Integer>> nodes = new ArrayList<>();

    private Incumbent(CandidateSet candidates, CouplingRows rows, double[] prices) {
        this.candidates = candidates;
        this.rows = rows;
        this.prices = prices;
        this.room = new Room(candidates);
        this.choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        for (int j = 0; j < choice.length; j++) {
            nodes.add(List.of());
        }
    }

    /** Reads a plan off {@code prices}, by row. */
    static Incumbent readOff(CandidateSet candidates, CouplingRows rows, double[] prices) {
        Incumbent incumbent = new Incumbent(candidates, rows, prices);
        incumbent.giveEveryJobItsBest();
        incumbent.fillWhatIsLeft();
        return incumbent;
    }

    /** The candidate of each job, -1 for waiting. */
    int[] choice() {
        return choice.clone();
    }

    /** Where the jobs sit. */
    Placement placement() {
        Map<Integer, List<Integer>> known = new HashMap<>();
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).kept()) {
                known.put(j, nodes.get(j));
            }
        }
        return Placer.place(candidates, choice, known);
    }

    private void giveEveryJobItsBest() {
        int[] best = new int[choice.length];
        Arrays.setAll(best, j -> rows.best(j, prices));
        keepWhereTheLimitOfRestartsDemandsIt(best);
        IntStream.range(0, choice.length)
                .filter(j -> best[j] >= 0)
                .boxed()
                .sorted(Comparator.comparing((Integer j) -> rows.mayWait(j))
                        .thenComparing(j -> !candidates.get(best[j]).kept())
                        .thenComparingDouble(j -> -margin(j, best[j])))
                .forEach(j -> {
                    if (!put(best[j])) {
                        putNextBest(j);
                    }
                });
    }

    /** Of the jobs that could keep what they hold and would rather not, only those that gain most may have their way. */
    private void keepWhereTheLimitOfRestartsDemandsIt(int[] best) {
        if (rows.restartLimit() == Integer.MAX_VALUE) {
            return;
        }
        IntStream.range(0, best.length)
                .filter(j -> candidates.kept(j) >= 0 && best[j] != candidates.kept(j))
                .filter(j -> rows.isOffered(candidates.kept(j)))
                .boxed()
                .sorted(Comparator.comparingDouble(j -> reduced(candidates.kept(j)) - reduced(best[j])))
                .skip(rows.restartLimit())
                .forEach(j -> best[j] = candidates.kept(j));
    }

    private double reduced(int c) {
        return c < 0 ? 0 : rows.reducedWorth(c, prices);
    }

    /** What job {@code j} loses at the prices if it gets its second best choice: who loses most goes first. */
    private double margin(int j, int best) {
        double next = rows.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (c != best && rows.isOffered(c)) {
                next = Math.max(next, rows.reducedWorth(c, prices));
            }
        }
        return rows.reducedWorth(best, prices) - next;
    }

    /** Tries the other candidates of a job that are worth their price, the best first. */
    private void putNextBest(int j) {
        for (int c : byReducedWorth(j)) {
            if (rows.mayWait(j) && rows.reducedWorth(c, prices) <= 0) {
                return;
            }
            if (put(c)) {
                return;
            }
        }
    }

    /** Lets each job have more, if what nobody wanted at the prices allows it; jobs that lost most by their choice first. */
    private void fillWhatIsLeft() {
        double[] regret = new double[choice.length];
        for (int j = 0; j < regret.length; j++) {
            int best = rows.best(j, prices);
            regret[j] = reduced(best) - reduced(choice[j]);
        }
        IntStream.range(0, choice.length)
                .filter(j -> !candidates.mustStay(j) && !isBoundByTheLimitOfRestarts(j))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -regret[j]))
                .forEach(this::improve);
    }

    private boolean isBoundByTheLimitOfRestarts(int j) {
        return rows.restartLimit() < Integer.MAX_VALUE && candidates.kept(j) >= 0;
    }

    private void improve(int j) {
        int now = choice[j];
        double worth = now < 0 ? 0 : rows.worth(now);
        List<Integer> better = IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> rows.isOffered(c) && rows.worth(c) > worth && couldHold(candidates.get(c)))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -rows.worth(c)))
                .toList();
        if (better.isEmpty()) {
            return;
        }
        List<Integer> before = nodes.get(j);
        take(j);
        for (int c : better) {
            if (put(c)) {
                return;
            }
        }
        if (now >= 0) {
            putBack(now, before);
        }
    }

    /** False if the free slots of the class and what the job itself holds are certainly too few. */
    private boolean couldHold(Candidate candidate) {
        if (candidate.kept()) {
            return true;
        }
        int own = choice[candidate.job()] < 0
                ? 0
                : candidates.get(choice[candidate.job()]).slots();
        return room.slots(candidates.hardware().classes().get(candidate.nodeClass())) + own >= candidate.slots();
    }

    private boolean put(int c) {
        Candidate candidate = candidates.get(c);
        if (!rows.isOffered(c)) {
            return false;
        }
        if (candidate.kept()) {
            if (!room.tryKeep(candidate)) {
                return false;
            }
        } else {
            List<Integer> found = room.place(candidate);
            if (found.isEmpty()) {
                return false;
            }
            nodes.set(candidate.job(), found);
        }
        choice[candidate.job()] = c;
        return true;
    }

    private void take(int j) {
        if (choice[j] >= 0) {
            Candidate candidate = candidates.get(choice[j]);
            if (candidate.kept()) {
                room.removeKept(candidate);
            } else {
                room.remove(candidate, nodes.get(j));
            }
            choice[j] = -1;
        }
    }

    /** Restores what {@link #take} took a moment ago; its place is still free. */
    private void putBack(int c, List<Integer> before) {
        Candidate candidate = candidates.get(c);
        if (candidate.kept()) {
            room.tryKeep(candidate);
        } else {
            room.placeOn(candidate, before);
        }
        nodes.set(candidate.job(), before);
        choice[candidate.job()] = c;
    }

    private List<Integer> byReducedWorth(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -rows.reducedWorth(c, prices)))
                .toList();
    }
}
