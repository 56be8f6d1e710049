package dev.spur.agent;

import dev.spur.agent.aggregator.Counts;
import dev.spur.agent.process.JobUser;
import dev.spur.agent.process.JobUsers;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.SmallFile;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.process.UserFolders;
import dev.spur.agent.protocol.Messages.AggregatorCounts;
import dev.spur.agent.protocol.Messages.AggregatorOrder;
import dev.spur.agent.protocol.Messages.BrokenAggregator;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Manages the aggregators of this node. Like a job, each is a process with a guard: it continues without the agent and
 * ends with the lease. It reads its content from a file. An aggregator has no persistent state.
 */
final class Aggregators {
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int GRACE_SECONDS = 1;
    private static final int MAX_COUNTS_BYTES = 1 << 22;

    private final ProcessRuns runs;
    private final StateDirectory state;
    private final RunSpec.@Nullable Owner owner;
    private final List<String> program;
    private final Consumer<String> log;
    private final Map<String, Long> pauses = new HashMap<>();
    private final Map<String, Double> limits = new HashMap<>();
    private volatile List<BrokenAggregator> broken = List.of();
    private volatile Map<String, AggregatorOrder> running = Map.of();

    /**
     * Manages the aggregators below {@code state}, including running ones.
     *
     * @param runs runs of {@code state}
     * @param owner user of the aggregators; null for the user of the agent
     * @param program command that starts an aggregator, without its options
     */
    Aggregators(
            ProcessRuns runs,
            StateDirectory state,
            RunSpec.@Nullable Owner owner,
            List<String> program,
            Consumer<String> log) {
        this.owner = owner;
        this.runs = runs;
        this.state = state;
        this.program = List.copyOf(program);
        this.log = log;
    }

    /** Observes the running processes. */
    void observe() {
        runs.observe();
    }

    /** Starts the missing aggregators and stops those that are no longer required. */
    void reconcile(List<AggregatorOrder> desired, boolean mayStart) {
        Map<String, AggregatorOrder> byId = new TreeMap<>();
        desired.forEach(order -> byId.put(id(order), order));
        for (ProcessRun run : runs.all()) {
            String id = run.spec().id();
            if (run.phase() == ProcessRun.Phase.ENDED) {
                runs.forget(id);
                SmallFile.delete(content(id));
                SmallFile.delete(counts(id));
                pauses.put(id, System.nanoTime() + PAUSE.toNanos());
            } else if (!byId.containsKey(id) && run.phase() == ProcessRun.Phase.RUNNING) {
                log.accept(id + " is stopped: it has no shards any more");
                runs.stop(id, "it has no shards any more", GRACE_SECONDS);
            }
        }
        byId.forEach((id, order) -> {
            writeContent(id, order);
            limit(id, order);
            if (mayStart && runs.find(id).isEmpty() && !isPausing(id)) {
                start(id, order);
            }
        });
        broken = byId.entrySet().stream()
                .filter(entry -> isPausing(entry.getKey()))
                .map(entry -> new BrokenAggregator(
                        entry.getValue().number(), entry.getValue().port()))
                .toList();
        Map<String, AggregatorOrder> there = new TreeMap<>(byId);
        there.keySet().removeIf(id -> runs.find(id).isEmpty());
        running = there;
        pauses.keySet().retainAll(byId.keySet());
        limits.keySet().retainAll(byId.keySet());
    }

    /** Returns the required aggregators that ended without a stop request. Thread-safe. */
    List<BrokenAggregator> brokenAggregators() {
        return broken;
    }

    /** Returns the counts of the running aggregators. Thread-safe. */
    List<AggregatorCounts> counts() {
        List<AggregatorCounts> all = new ArrayList<>();
        running.forEach((id, order) -> {
            try {
                SmallFile.readForeign(counts(id), MAX_COUNTS_BYTES)
                        .ifPresent(json -> all.add(AggregatorCounts.of(order, Counts.read(json))));
            } catch (UncheckedIOException | JacksonException unreadable) {
                // renewing the lease has priority; the next heartbeat repeats the counts
            }
        });
        return all;
    }

    private boolean isPausing(String id) {
        Long until = pauses.get(id);
        return until != null && System.nanoTime() - until < 0;
    }

    private void writeContent(String id, AggregatorOrder order) {
        String json = order.content().json();
        if (!json.equals(SmallFile.read(content(id)).orElse(""))) {
            SmallFile.write(content(id), json, owner == null ? null : owner.user());
        }
    }

    private void limit(String id, AggregatorOrder order) {
        if (runs.find(id).isPresent() && !Double.valueOf(order.cpus()).equals(limits.get(id))) {
            runs.limitCpus(id, order.cpus());
            limits.put(id, order.cpus());
        }
    }

    private void start(String id, AggregatorOrder order) {
        List<String> arguments = new ArrayList<>(program);
        arguments.addAll(List.of(
                "--port",
                Integer.toString(order.port()),
                "--content",
                content(id).toString(),
                "--counts",
                counts(id).toString()));
        var process = new RunSpec.ProcessSpec(0, arguments, Map.of(), "");
        try {
            runs.start(new RunSpec(
                            id,
                            name(order),
                            order.port(),
                            List.of(),
                            List.of(process),
                            GRACE_SECONDS,
                            false,
                            order.cpus(),
                            0)
                    .ownedBy(owner));
            log.accept("%s has started, port %d".formatted(id, order.port()));
        } catch (IOException e) {
            log.accept("%s failed to start: %s".formatted(id, ErrorMessages.of(e)));
        }
    }

    private Path content(String id) {
        return state.file(id + ".json");
    }

    private Path counts(String id) {
        String name = id + ".counts.json";
        return owner == null ? state.file(name) : Path.of(owner.work(), name);
    }

    private static String name(AggregatorOrder order) {
        return "aggregator-" + order.number();
    }

    /** Returns the id of an aggregator. A different port makes a different aggregator. */
    private static String id(AggregatorOrder order) {
        return name(order) + "." + order.port();
    }

    /**
     * Returns the owner of aggregators, who can use {@code state}; null for the user of the agent.
     *
     * @throws IOException if the user does not exist, or cannot use {@code state}
     */
    static RunSpec.@Nullable Owner owner(JobUsers users, StateDirectory state) throws IOException {
        Optional<JobUser> user = users.ofNoTenant();
        if (user.isEmpty()) {
            return null;
        }
        state.admitJobUsers();
        Path work = new UserFolders(state).prepare(user.get(), "aggregators");
        return new RunSpec.Owner(user.get(), work.toString());
    }

    /**
     * Returns the command that starts an aggregator from this program: a JAR file or a class path. A JAR file is copied
     * to {@code copy}, because an owner may be unable to read the original.
     *
     * @throws IOException if it cannot be copied
     */
    static List<String> program(Path copy, RunSpec.@Nullable Owner owner) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        // an executable JAR has its own class loader; the classes of a build need a class path
        boolean packed = classes.endsWith(".jar") && !classes.contains(File.pathSeparator) && isPacked(classes);
        List<String> arguments = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-Xss512k"));
        if (packed && owner != null) {
            Path next = copy.resolveSibling(copy.getFileName() + ".new");
            Files.copy(Path.of(classes), next, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            // Renamed, because running aggregators read the previous copy.
            Files.move(next, copy, StandardCopyOption.ATOMIC_MOVE);
            classes = copy.toString();
        }
        arguments.addAll(packed ? List.of("-jar", absolute(classes)) : List.of("-cp", classes, "dev.spur.cli.Main"));
        arguments.add("aggregator");
        return arguments;
    }

    private static boolean isPacked(String jar) {
        try (var file = new JarFile(jar)) {
            return Optional.ofNullable(file.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue("Start-Class"))
                    .isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static String absolute(String file) {
        return Path.of(file).toAbsolutePath().toString();
    }
}
