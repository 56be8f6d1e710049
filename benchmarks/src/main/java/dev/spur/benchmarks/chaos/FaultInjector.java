package dev.spur.benchmarks.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Injects faults into a site at their times, and heals each when its duration has passed. */
final class FaultInjector {
    private static final int THREADS = 16;
    private static final long HEAL_SECONDS = 1200;
    private static final List<Integer> CLOCK_OFFSETS = List.of(-3600, -300, 300, 3600);

    private final ChaosSite site;
    private final ReplicaClient client;
    private final Consumer<String> log;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    private final List<Future<?>> scheduled = new ArrayList<>();
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Lock> locks = new ConcurrentHashMap<>();

    FaultInjector(ChaosSite site, ReplicaClient client, Consumer<String> log) {
        this.site = site;
        this.client = client;
        this.log = log;
    }

    /** Heals a fault. */
    private interface Cure {
        void heal() throws IOException, InterruptedException, SQLException;
    }

    /** Starts to inject faults, counted from now. */
    void start(List<Fault> faults) {
        for (Fault fault : faults) {
            scheduled.add(threads.schedule(() -> run(fault), (long) (1000 * fault.at()), TimeUnit.MILLISECONDS));
        }
    }

    /** Returns once all faults are healed. */
    void awaitHealed(List<Fault> faults) throws InterruptedException {
        threads.shutdown();
        double end = faults.stream().mapToDouble(Fault::end).max().orElse(0);
        if (!threads.awaitTermination((long) end + HEAL_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("A fault was not healed within %d s".formatted(HEAL_SECONDS));
        }
    }

    void stop() {
        threads.shutdownNow();
    }

    /** Returns how many faults of each kind were injected. */
    synchronized Map<FaultKind, Integer> counts() {
        return Map.copyOf(counts);
    }

    /** Returns the faults that could not be injected or healed. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Injects a fault once its component is healed, which may be late on a busy machine. */
    private void run(Fault fault) {
        Lock lock = locks.computeIfAbsent(fault.component(), component -> new ReentrantLock());
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            log.accept(fault.toString());
            Cure cure = inject(fault);
            if (cure == null) {
                log.accept("nothing to hit: " + fault);
                return;
            }
            synchronized (this) {
                counts.merge(fault.kind(), 1, Integer::sum);
            }
            TimeUnit.MILLISECONDS.sleep((long) (1000 * fault.seconds()));
            cure.heal();
            log.accept("healed: " + fault);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (IOException | SQLException | RuntimeException e) {
            synchronized (this) {
                failures.add(fault + ": " + e);
            }
            log.accept("%s failed: %s".formatted(fault, e));
        } finally {
            lock.unlock();
        }
    }

    /** Injects a fault; returns null if there is nothing to hit. */
    private @Nullable Cure inject(Fault fault) throws IOException, InterruptedException {
        int target = fault.target();
        switch (fault.kind()) {
            case DRAIN -> {
                String node = site.nodeName(target);
                client.require("POST", "/nodes/" + node + "/drain", "");
                return () -> client.require("POST", "/nodes/" + node + "/activate", "");
            }
            case HOLD -> {
                return hold(fault.choice());
            }
            case KILL_RANK -> {
                List<ProcessHandle> ranks = site.ranks();
                return !ranks.isEmpty()
                                && ranks.get(fault.choice() % ranks.size()).destroyForcibly()
                        ? () -> {}
                        : null;
            }
            case KILL_AGENT -> {
                site.killAgent(target);
                return () -> site.startAgent(target);
            }
            case SILENCE_AGENT -> {
                site.signalAgent(target, "STOP");
                return () -> site.signalAgent(target, "CONT");
            }
            case STALL_AGENT -> {
                site.toService(target).freeze();
                return () -> site.toService(target).mend();
            }
            case CUT_AGENT -> {
                site.toService(target).cut();
                return () -> site.toService(target).mend();
            }
            case FILL_DISK -> {
                Path filler = fill(site.disk(target));
                return () -> Files.delete(filler);
            }
            case FILL_CHECKPOINTS -> {
                Path filler = fill(site.checkpoints());
                return () -> Files.delete(filler);
            }
            case KILL_REPLICA -> {
                site.killReplica(target);
                return () -> site.startReplica(target);
            }
            case STALL_DATABASE -> {
                site.toDatabase(target).freeze();
                return () -> site.toDatabase(target).mend();
            }
            case JUMP_CLOCK -> {
                int offset = CLOCK_OFFSETS.get(fault.choice() % CLOCK_OFFSETS.size());
                log.accept("the clock of the database is off by %+d s".formatted(offset));
                site.setClock(offset);
                return () -> site.setClock(0);
            }
            case KILL_DATABASE -> {
                site.killDatabase();
                return site::startDatabase;
            }
        }
        throw new IllegalArgumentException("Unknown kind " + fault.kind());
    }

    private @Nullable Cure hold(int choice) throws InterruptedException {
        JsonNode running = client.get("/jobs?state=RUNNING&limit=500").path("items");
        if (running.isEmpty()) {
            return null;
        }
        String id = running.path(choice % running.size()).path("id").asString();
        // A job that has ended meanwhile rejects both.
        if (client.send("POST", "/jobs/" + id + "/hold", "").statusCode() / 100 != 2) {
            return null;
        }
        return () -> client.send("POST", "/jobs/" + id + "/release", "");
    }

    private static Path fill(Path disk) throws IOException {
        Path filler = disk.resolve("filler-" + System.nanoTime());
        byte[] block = new byte[1 << 16];
        for (int size = block.length; size >= 1; size /= 16) {
            append(filler, block, size);
        }
        return filler;
    }

    /** Appends blocks until none fits. */
    private static void append(Path filler, byte[] block, int size) {
        try (OutputStream output =
                Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                output.write(block, 0, size);
            }
        } catch (IOException full) {
            // The caller continues with smaller blocks.
        }
    }
}
