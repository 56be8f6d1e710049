package dev.spur.solver.relaxation;

import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.List;

/** Coupling constraints under construction. */
final class ConstraintList {
    private final List<CouplingConstraints.Row> rows = new ArrayList<>();

    /** Adds a row and returns its index. */
    int add(ResourceKey key, double capacity) {
        rows.add(new CouplingConstraints.Row(key, capacity));
        return rows.size() - 1;
    }

    /** Returns the number of rows. */
    int size() {
        return rows.size();
    }

    /** Lowers the capacity of a row. */
    void lower(int row, double amount) {
        CouplingConstraints.Row old = rows.get(row);
        rows.set(row, new CouplingConstraints.Row(old.key(), old.capacity() - amount));
    }

    List<CouplingConstraints.Row> all() {
        return List.copyOf(rows);
    }
}
