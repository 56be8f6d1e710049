package dev.spur.agent;

import dev.spur.agent.process.SmallFile;
import dev.spur.agent.protocol.Messages.LentMemory;
import dev.spur.agent.protocol.Messages.RevokedLoan;
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
 * What this node lends: as the service says, less what the node has taken back by itself. It stands in a file, for
 * whatever serves the memory. What was taken back stays so until the service has heard of it and says so itself. Safe
 * for several threads.
 */
final class MemoryLoans {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Contents after one that was told, so that none that was on its way then counts as the answer. */
    private static final int ANSWERS = 2;

    private final Path file;
    private final Consumer<String> log;
    private final Map<Loan, Revocation> takenBack = new HashMap<>();
    private List<LentMemory> said = List.of();
    private long revision = -1;

    /** A loan, in one start of its borrower. */
    private record Loan(String preparationId, long generation) {
        static Loan of(LentMemory lent) {
            return new Loan(lent.preparationId(), lent.generation());
        }
    }

    /** @param answers contents that came since the service was told; below 0 while it was not */
    private record Revocation(int leftGiB, int answers) {}

    /** @param file where it stands what is lent */
    MemoryLoans(Path file, Consumer<String> log) {
        this.file = file;
        this.log = log;
    }

    /** Takes what the service says; the same content again says nothing. */
    synchronized void say(List<LentMemory> lends, long contentRevision) {
        if (contentRevision == revision) {
            return;
        }
        revision = contentRevision;
        said = List.copyOf(lends);
        takenBack.replaceAll(
                (loan, left) -> left.answers() < 0 ? left : new Revocation(left.leftGiB(), left.answers() + 1));
        takenBack.entrySet().removeIf(entry -> {
            int now = said.stream()
                    .filter(lent -> Loan.of(lent).equals(entry.getKey()))
                    .mapToInt(LentMemory::gib)
                    .sum();
            return now <= entry.getValue().leftGiB() || entry.getValue().answers() >= ANSWERS;
        });
        write();
    }

    /** What is lent now. */
    synchronized List<LentMemory> now() {
        List<LentMemory> now = new ArrayList<>();
        for (LentMemory lent : said) {
            int gib = Optional.ofNullable(takenBack.get(Loan.of(lent)))
                    .map(left -> Math.min(left.leftGiB(), lent.gib()))
                    .orElse(lent.gib());
            if (gib > 0) {
                now.add(lent.left(gib));
            }
        }
        return now;
    }

    /** All that is lent now, GiB. */
    int gib() {
        return now().stream().mapToInt(LentMemory::gib).sum();
    }

    /**
     * Takes so much back, or all there is if that is less: from the least active loan first, from those of which nobody
     * reports last.
     */
    synchronized void takeBack(int gib) {
        List<LentMemory> order = new ArrayList<>(now());
        order.sort(Comparator.comparingDouble(MemoryLoans::activity).thenComparing(LentMemory::preparationId));
        int needed = gib;
        for (LentMemory lent : order) {
            int part = Math.min(needed, lent.gib());
            if (part > 0) {
                takenBack.put(Loan.of(lent), new Revocation(lent.gib() - part, -1));
                log.accept("%d GiB that preparation %s had borrowed are taken back: the node needs them"
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

    /** What was taken back and the service has not heard of. */
    synchronized List<RevokedLoan> untold() {
        List<RevokedLoan> untold = new ArrayList<>();
        takenBack.forEach((loan, left) -> {
            if (left.answers() < 0) {
                untold.add(new RevokedLoan(loan.preparationId(), loan.generation(), left.leftGiB()));
            }
        });
        return untold;
    }

    /** The service has heard of these. */
    synchronized void told(List<RevokedLoan> revoked) {
        for (RevokedLoan one : revoked) {
            takenBack.computeIfPresent(
                    new Loan(one.preparationId(), one.generation()),
                    (loan, left) -> left.leftGiB() == one.leftGiB() ? new Revocation(left.leftGiB(), 0) : left);
        }
    }

    private void write() {
        String json = JSON.writeValueAsString(now());
        if (!json.equals(SmallFile.read(file).orElse(""))) {
            SmallFile.write(file, json);
        }
    }
}
