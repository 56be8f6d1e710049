package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.SmallFile;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.Messages.LentMemory;
import dev.spur.agent.protocol.Messages.MemoryExport;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Serves the memory that this node lends: each loan is an export of nbdkit (NBD over TLS) with a key of its own. Like a
 * job, it has a guard: it continues without the agent and ends with the lease. A loan of another size is another
 * export, because that of nbdkit cannot change; the borrower has its pages in a file as well.
 */
final class MemoryExports {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int GRACE_SECONDS = 1;
    private static final int FIRST_PORT = 19_000;
    private static final int PORTS = 1000;
    private static final int ATTEMPTS = 20;
    private static final int KEY_BYTES = 32;
    private static final String PORT = "--port=";
    /** Part of a loan, and GiB, that nbdkit needs in addition to it. */
    private static final double OVERHEAD = 0.02;

    private static final double OVERHEAD_GIB = 0.25;
    /**
     * With a pre-shared key GnuTLS otherwise chooses ChaCha20, which takes 2 to 3 times the CPU time of AES where the
     * processor has instructions for AES.
     */
    private static final String CIPHERS = "[overrides]\ntls-disabled-cipher = CHACHA20-POLY1305";

    private final MemoryLoans loans;
    private final ProcessRuns runs;
    private final StateDirectory state;
    private final MemoryServer server;
    private final Consumer<String> log;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Long> pauses = new HashMap<>();
    private volatile List<ProcessRun> running = List.of();
    private volatile List<MemoryExport> ready = List.of();

    /**
     * Serves {@code loans} by processes below {@code state}, including running ones.
     *
     * @param runs runs of {@code state}
     */
    MemoryExports(
            MemoryLoans loans, ProcessRuns runs, StateDirectory state, MemoryServer server, Consumer<String> log) {
        this.loans = loans;
        this.runs = runs;
        this.state = state;
        this.server = server;
        this.log = log;
    }

    /** Returns the loans. */
    MemoryLoans loans() {
        return loans;
    }

    /** Returns why this node lends no memory; empty if it lends. */
    Optional<String> refusal() {
        return server.defect();
    }

    /** Applies the grants of the service, and starts and ends exports by the current loans. */
    void update(List<LentMemory> lends, long contentRevision, boolean mayStart) {
        try {
            loans.update(lends, contentRevision);
        } finally {
            runs.observe();
            reconcile(loans.now(), mayStart && refusal().isEmpty());
        }
    }

    private void reconcile(List<LentMemory> current, boolean mayStart) {
        Map<String, LentMemory> byId = new TreeMap<>();
        current.forEach(lent -> byId.put(id(lent), lent));
        for (ProcessRun run : runs.all()) {
            String id = run.spec().id();
            if (run.phase() == ProcessRun.Phase.ENDED) {
                runs.forget(id);
                SmallFile.delete(keys(id));
                SmallFile.delete(pidFile(id));
                pauses.put(id, System.nanoTime() + PAUSE.toNanos());
            } else if (!byId.containsKey(id) && run.phase() == ProcessRun.Phase.RUNNING) {
                runs.stop(id, "the loan has ended or has another size", GRACE_SECONDS);
            }
        }
        byId.forEach((id, lent) -> {
            if (mayStart && !isServed(lent) && !isPausing(id)) {
                start(id, lent);
            }
        });
        pauses.keySet().retainAll(byId.keySet());
        running = List.copyOf(runs.all());
        ready = byId.entrySet().stream()
                .flatMap(entry -> export(entry.getKey(), entry.getValue()).stream())
                .toList();
    }

    /** Returns true if the memory of the loan, or of an earlier size of it, is still in use. */
    private boolean isServed(LentMemory lent) {
        return runs.all().stream()
                .anyMatch(run -> run.spec().jobId().equals(lent.preparationId())
                        && run.spec().generation() == lent.generation());
    }

    private boolean isPausing(String id) {
        Long until = pauses.get(id);
        return until != null && System.nanoTime() - until < 0;
    }

    private void start(String id, LentMemory lent) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        try {
            int port = freePort();
            SmallFile.delete(pidFile(id));
            SmallFile.write(
                    keys(id), LoanFiles.keyLine(server.node(), HexFormat.of().formatHex(key)));
            SmallFile.write(ciphers(), CIPHERS);
            var process = new RunSpec.ProcessSpec(
                    0,
                    command(id, port, lent.gib()),
                    Map.of("GNUTLS_SYSTEM_PRIORITY_FILE", ciphers().toString()),
                    "");
            runs.start(new RunSpec(
                    id,
                    lent.preparationId(),
                    lent.generation(),
                    List.of(),
                    List.of(process),
                    GRACE_SECONDS,
                    false,
                    0,
                    lent.gib() * (1 + OVERHEAD) + OVERHEAD_GIB));
            log.accept("lends %d GiB to preparation %s, port %d".formatted(lent.gib(), lent.preparationId(), port));
        } catch (IOException e) {
            pauses.put(id, System.nanoTime() + PAUSE.toNanos());
            log.accept("no memory is lent to preparation %s: %s".formatted(lent.preparationId(), ErrorMessages.of(e)));
        }
    }

    private List<String> command(String id, int port, int gib) {
        List<String> arguments = new ArrayList<>(List.of(
                server.program(),
                "--foreground",
                PORT + port,
                "--pidfile=" + pidFile(id),
                "--tls=require",
                "--tls-psk=" + keys(id)));
        server.address().ifPresent(address -> arguments.add("--ipaddr=" + address));
        arguments.addAll(List.of("memory", "size=%dG".formatted(gib)));
        return arguments;
    }

    private int freePort() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = FIRST_PORT + random.nextInt(PORTS);
            try (var probe = new ServerSocket(port)) {
                return probe.getLocalPort();
            } catch (IOException used) {
                // the next one may be free
            }
        }
        throw new IOException("no free port between %d and %d".formatted(FIRST_PORT, FIRST_PORT + PORTS - 1));
    }

    /** Returns the export of a loan; empty until nbdkit accepts connections. */
    private Optional<MemoryExport> export(String id, LentMemory lent) {
        return runs.find(id)
                .filter(run -> run.phase() == ProcessRun.Phase.RUNNING && Files.exists(pidFile(id)))
                .flatMap(run -> SmallFile.read(keys(id))
                        .map(line -> new MemoryExport(
                                lent.preparationId(), lent.generation(), port(run), LoanFiles.key(line))));
    }

    private static int port(ProcessRun run) {
        return run.spec().processes().get(0).command().stream()
                .filter(word -> word.startsWith(PORT))
                .mapToInt(word -> Integer.parseInt(word.substring(PORT.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the exports that accept connections. Thread-safe. */
    List<MemoryExport> ready() {
        return ready;
    }

    /** Returns the memory that the exports use, GiB. Thread-safe. */
    double usedGiB() {
        return running.stream().mapToDouble(ProcessRun::usedGiB).sum();
    }

    private Path keys(String id) {
        return state.file(id + ".psk");
    }

    /** Returns the file that nbdkit writes when it accepts connections. */
    private Path pidFile(String id) {
        return state.file(id + ".pid");
    }

    private Path ciphers() {
        return state.file("gnutls.conf");
    }

    private static String id(LentMemory lent) {
        return "%s.%d.%d".formatted(lent.preparationId(), lent.generation(), lent.gib());
    }
}
