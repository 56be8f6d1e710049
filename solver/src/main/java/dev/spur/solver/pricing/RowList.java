package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.List;

/** Rows while they are being stated. */
final class RowList {
    private final List<CouplingRows.Row> rows = new ArrayList<>();

    /** Adds a row and returns its index. */
    int add(String name, double capacity) {
        rows.add(new CouplingRows.Row(name, capacity));
        return rows.size() - 1;
    }

    /** Lowers the capacity of a row. */
    void lower(int row, double amount) {
        CouplingRows.Row old = rows.get(row);
        rows.set(row, new CouplingRows.Row(old.name(), old.capacity() - amount));
    }

    List<CouplingRows.Row> all() {
        return List.copyOf(rows);
    }
}
