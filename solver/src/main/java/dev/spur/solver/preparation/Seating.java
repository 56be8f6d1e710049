package dev.spur.solver.preparation;

import dev.spur.model.preparation.Preparation;
import dev.spur.model.preparation.PreparationSpec;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Which preparations sit where, while that is being decided, and what it is worth. Preparations go by number. */
final class Seating {
    private final HostNodes nodes;
    private final List<Preparation> preparations;
    private final double[] weights;
    private final @Nullable Seat[] seats;
    private final Supply supply;

    /** @param weights of each preparation what it is worth at full speed */
    Seating(HostNodes nodes, List<Preparation> preparations, double[] weights) {
        this(nodes, preparations, weights, new Seat[preparations.size()], new Supply(nodes));
    }

    private Seating(
            HostNodes nodes, List<Preparation> preparations, double[] weights, @Nullable Seat[] seats, Supply supply) {
        this.nodes = nodes;
        this.preparations = preparations;
        this.weights = weights;
        this.seats = seats;
        this.supply = supply;
    }

    Seating copy() {
        return new Seating(nodes, preparations, weights, seats.clone(), supply.copy());
    }

    HostNodes nodes() {
        return nodes;
    }

    int count() {
        return seats.length;
    }

    Preparation preparation(int j) {
        return preparations.get(j);
    }

    PreparationSpec spec(int j) {
        return preparations.get(j).spec();
    }

    double weight(int j) {
        return weights[j];
    }

    /** CPUs that the preparation takes where it sits: what it holds already, or what it asks for. */
    double cpus(int j) {
        Preparation preparation = preparations.get(j);
        return preparation.grant() == null
                ? preparation.spec().cpus()
                : preparation.grant().cpus();
    }

    boolean runsAlready(int j) {
        return preparations.get(j).grant() != null;
    }

    @Nullable
    Seat seat(int j) {
        return seats[j];
    }

    Supply supply() {
        return supply;
    }

    /** Puts the preparation there; null lets it wait. */
    void put(int j, @Nullable Seat seat) {
        Seat before = seats[j];
        if (before != null) {
            supply.giveBack(cpus(j), before);
        }
        if (seat != null) {
            supply.take(cpus(j), seat);
        }
        seats[j] = seat;
    }

    double worth() {
        double sum = 0;
        for (int j = 0; j < seats.length; j++) {
            Seat seat = seats[j];
            sum += seat == null ? 0 : worth(j, seat);
        }
        return sum;
    }

    double worth(int j, Seat seat) {
        return weights[j]
                * (gain(spec(j), seat.localGiB(), seat.borrowedGiB())
                        - loss(seat.node(), seat.loans()) / spec(j).workingSetGiB());
    }

    /** Speed with so much memory, as a share of that with the whole working set local. */
    static double gain(PreparationSpec spec, int localGiB, int borrowedGiB) {
        return 1 / spec.slowDown(localGiB, borrowedGiB);
    }

    private double loss(int host, NavigableMap<Integer, Integer> loans) {
        double sum = 0;
        for (Map.Entry<Integer, Integer> loan : loans.entrySet()) {
            sum += nodes.loss(loan.getKey(), host) * loan.getValue();
        }
        return sum;
    }
}
