package dev.spur.agent;

import dev.spur.agent.process.SmallFile;
import dev.spur.agent.protocol.Messages.LentMemory;
import dev.spur.agent.protocol.Messages.RevokedLoan;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Memory that this node lends: the grants of the service less the local revocations. The loans are listed in a file. A
 * revocation is effective until the service has confirmed it. Thread-safe.
 */
final class MemoryLoans {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Number of desired states after the report of a revocation until one is certain to include it. */
    private static final int ANSWERS = 2;

    private final Path file;
    private final Consumer<String> log;
    private final Map<Loan, Revocation> takenBack = new HashMap<>();
    private List<LentMemory> reported = List.of();
    private long revision = -1;
    private boolean isUnwritten;

    /** A loan to one generation of a borrower. */
    private record Loan(String preparationId, long generation) {
        static Loan of(LentMemory lent) {
            return new Loan(lent.preparationId(), lent.generation());
        }
    }

    /** @param answers desired states received since the report to the service; below 0 before the report */
    private record Revocation(int leftGiB, int answers) {}

    /** @param file file that lists the loans */
    MemoryLoans(Path file, Consumer<String> log) {
        this.file = file;
        this.log = log;
    }

    /**
     * Applies the grants of the service. Repeated contents have no effect.
     *
     * @throws UncheckedIOException if the file cannot be written; the next call repeats it
     */
    synchronized void update(List<LentMemory> lends, long contentRevision) {
        if (contentRevision == revision) {
            if (isUnwritten) {
                write();
            }
            return;
        }
        revision = contentRevision;
        reported = List.copyOf(lends);
        takenBack.replaceAll(
                (loan, left) -> left.answers() < 0 ? left : new Revocation(left.leftGiB(), left.answers() + 1));
        takenBack.entrySet().removeIf(entry -> {
            int now = reported.stream()
                    .filter(lent -> Loan.of(lent).equals(entry.getKey()))
                    .mapToInt(LentMemory::gib)
                    .sum();
            return now <= entry.getValue().leftGiB() || entry.getValue().answers() >= ANSWERS;
        });
        write();
    }

    /** Returns the current loans. */
    synchronized List<LentMemory> now() {
        List<LentMemory> now = new ArrayList<>();
        for (LentMemory lent : reported) {
            int gib = Optional.ofNullable(takenBack.get(Loan.of(lent)))
                    .map(left -> Math.min(left.leftGiB(), lent.gib()))
                    .orElse(lent.gib());
            if (gib > 0) {
                now.add(lent.withAmount(gib));
            }
        }
        return now;
    }

    /** Returns the total of the current loans, GiB. */
    int gib() {
        return now().stream().mapToInt(LentMemory::gib).sum();
    }

    /**
     * Revokes {@code gib} GiB, or all loans if they are less. The least active loan is revoked first, and loans without
     * a reported activity last.
     *
     * @throws UncheckedIOException if the file cannot be written; {@link #update} repeats it
     */
    synchronized void takeBack(int gib) {
        List<LentMemory> order = new ArrayList<>(now());
        order.sort(Comparator.comparingDouble(MemoryLoans::activity).thenComparing(LentMemory::preparationId));
        int needed = gib;
        for (LentMemory lent : order) {
            int part = Math.min(needed, lent.gib());
            if (part > 0) {
                takenBack.put(Loan.of(lent), new Revocation(lent.gib() - part, -1));
                log.accept("revoked %d GiB lent to preparation %s: the node needs the memory"
                        .formatted(part, lent.preparationId()));
            }
            needed -= part;
        }
        write();
    }

    private static double activity(LentMemory lent) {
        Double activity = lent.activity();
        return activity == null ? Double.POSITIVE_INFINITY : activity;
    }

    /** Returns the revocations that the service has not confirmed. */
    synchronized List<RevokedLoan> unreportedRevocations() {
        List<RevokedLoan> unreported = new ArrayList<>();
        takenBack.forEach((loan, left) -> {
            if (left.answers() < 0) {
                unreported.add(new RevokedLoan(loan.preparationId(), loan.generation(), left.leftGiB()));
            }
        });
        return unreported;
    }

    /** Marks these revocations as reported to the service. */
    synchronized void markReported(List<RevokedLoan> revoked) {
        for (RevokedLoan one : revoked) {
            takenBack.computeIfPresent(
                    new Loan(one.preparationId(), one.generation()),
                    (loan, left) -> left.leftGiB() == one.leftGiB() ? new Revocation(left.leftGiB(), 0) : left);
        }
    }

    private void write() {
        isUnwritten = true;
        String json = JSON.writeValueAsString(now());
        if (!json.equals(SmallFile.read(file).orElse(""))) {
            SmallFile.write(file, json);
        }
        isUnwritten = false;
    }
}
