package dev.spur.agent;

import dev.spur.agent.output.OutputReader;
import dev.spur.agent.output.SecretMask;
import dev.spur.agent.process.ProcessOutput;
import dev.spur.agent.process.ProcessOutput.ProcessEnd;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Messages.LogUpload;
import dev.spur.agent.protocol.Messages.RankEnd;
import dev.spur.agent.protocol.Messages.RankOutput;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Uploads the last output of each process when it ends, and new output while a caller reads the log. It works on its
 * own thread and reads only files, so that it never delays a training or a heartbeat. The folder of an ended run is
 * kept until its output is uploaded, so that an agent that was killed uploads it after its restart.
 */
final class LogUploader implements Runnable {
    /** Maximum characters of a rank that failed, or whose log is followed. */
    private static final int MAX_CHARS = 64 << 10;
    /** Maximum characters of a rank that ended well or on request. */
    private static final int MAX_CHARS_WELL = 16 << 10;
    /** Maximum size of a request, below the limit of the service. */
    private static final int MAX_BYTES = 240 << 10;

    private static final int MAX_RANKS = 64;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
    /** Time after the end of a run in which its output is uploaded; then it remains on the node. */
    private static final long MAX_NANOS = Duration.ofMinutes(10).toNanos();

    private static final int TIMEOUT = 408;
    private static final int TOO_MANY = 429;
    private static final Pattern DEVICE_MEMORY = Pattern.compile(
            "(CUDA|HIP) (error: )?out of memory|OutOfMemoryError: (CUDA|HIP|Out of memory allocating)|RESOURCE_EXHAUSTED: Out of memory",
            Pattern.CASE_INSENSITIVE);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ServiceClient service;
    private final String node;
    private final ServiceSession link;
    private final Supplier<Optional<String>> token;
    private final Consumer<String> log;
    private final Map<String, RunLogs> known = new HashMap<>();
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();
    private volatile List<LogSource> sources = List.of();
    private Duration pause = INTERVAL;
    private long lastSeq;

    LogUploader(
            ServiceClient service,
            String node,
            ServiceSession link,
            Supplier<Optional<String>> token,
            Consumer<String> log) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.token = token;
        this.log = log;
    }

    /**
     * A run with its logs.
     *
     * @param over true if no process of the run is left
     * @param requested true if a stop was requested
     * @param followed true while a caller reads the log
     */
    private record LogSource(
            RunSpec spec, List<ProcessOutput> outputs, boolean over, boolean requested, boolean followed) {}

    /** State of the uploads of a run. */
    private static final class RunLogs {
        private final Map<Integer, OutputReader> readers = new HashMap<>();
        private final Set<Integer> ended = new HashSet<>();
        /** Output that was read and is not delivered. */
        private final List<RankOutput> pending = new ArrayList<>();

        private boolean followed;
        private long seq;
        private @Nullable Long overSince;
    }

    /** Publishes the runs. Called by the process thread. */
    void publish(ProcessRuns runs, Set<String> followed) {
        sources = runs.all().stream()
                .map(run -> new LogSource(
                        run.spec(),
                        runs.outputs(run),
                        run.phase() == ProcessRun.Phase.ENDED,
                        run.wasRequested(),
                        followed.contains(run.spec().id())))
                .toList();
    }

    /** Returns true if the last output of an ended run is uploaded, or cannot be. */
    boolean isDelivered(String run) {
        return delivered.contains(run);
    }

    /** Removes the state of an ended run. */
    void forget(String run) {
        delivered.remove(run);
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(pause.toMillis());
                step();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Uploads what is due. A run whose upload fails does not keep the others from being uploaded. */
    private void step() throws InterruptedException {
        List<LogSource> current = sources;
        boolean failed = false;
        for (LogSource source : current) {
            String id = source.spec().id();
            if (delivered.contains(id)) {
                continue;
            }
            RunLogs logs = known.computeIfAbsent(id, added -> new RunLogs());
            try {
                read(source, logs);
                failed |= !send(source, logs);
            } catch (IOException unreadable) {
                log.accept("cannot read the logs of %s: %s".formatted(id, ErrorMessages.of(unreadable)));
                delivered.add(id);
            }
            boolean all = logs.pending.isEmpty()
                    && logs.ended.size() == source.outputs().size();
            if (source.over() && (all || isTooOld(logs))) {
                delivered.add(id);
            }
        }
        known.keySet()
                .retainAll(current.stream().map(source -> source.spec().id()).toList());
        known.keySet().removeAll(delivered);
        Duration doubled = pause.multipliedBy(2);
        pause = !failed ? INTERVAL : doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }

    private static boolean isTooOld(RunLogs logs) {
        Long since = logs.overSince;
        if (since == null) {
            logs.overSince = System.nanoTime();
            return false;
        }
        return System.nanoTime() - since > MAX_NANOS;
    }

    /** Reads the output that is due, unless earlier output is not delivered yet. */
    private void read(LogSource source, RunLogs logs) throws IOException {
        if (!logs.pending.isEmpty()) {
            return;
        }
        boolean begins = source.followed() && !logs.followed;
        logs.followed = source.followed();
        for (ProcessOutput output : source.outputs()) {
            if (logs.ended.contains(output.rank())) {
                continue;
            }
            Optional<ProcessEnd> end = output.end(source.over());
            if (end.isPresent() || source.followed()) {
                RankOutput next = next(source, logs, output, end);
                if (begins || end.isPresent() || !next.text().isEmpty()) {
                    logs.pending.add(next);
                }
            }
            if (end.isPresent()) {
                logs.ended.add(output.rank());
            }
        }
        if (!logs.pending.isEmpty()) {
            // also increases across restarts of the agent
            lastSeq = Math.max(lastSeq + 1, System.currentTimeMillis());
            logs.seq = lastSeq;
        }
    }

    private RankOutput next(LogSource source, RunLogs logs, ProcessOutput output, Optional<ProcessEnd> end)
            throws IOException {
        OutputReader reader = logs.readers.computeIfAbsent(
                output.rank(), rank -> new OutputReader(output.log(), output.earlierLog(), mask(source.spec(), rank)));
        boolean well =
                end.isPresent() && (end.get().exitCode() == 0 || end.get().stopped() || source.requested());
        boolean restart = !reader.hasBegun();
        String text = reader.next(well ? MAX_CHARS_WELL : MAX_CHARS, end.isPresent());
        return new RankOutput(
                output.rank(),
                text,
                restart,
                output.log().toString(),
                end.map(how -> end(how, text)).orElse(null));
    }

    private static RankEnd end(ProcessEnd end, String text) {
        boolean failed = end.exitCode() != 0;
        String memory = null;
        if (failed && end.outOfHostMemory()) {
            memory = "HOST";
        } else if (failed && exhaustedDevice(text)) {
            memory = "DEVICE";
        }
        return new RankEnd(end.exitCode(), end.stopped(), memory, end.age().toMillis() / 1e3);
    }

    /** Returns true if the output has an error of the allocator of a device, as PyTorch, JAX and CuPy print it. */
    static boolean exhaustedDevice(String output) {
        return DEVICE_MEMORY.matcher(output).find();
    }

    /**
     * Masks the secrets of the process: its variables, those of the agent that it inherits, and keys of the service.
     */
    private SecretMask mask(RunSpec spec, int rank) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        List<String> further = new ArrayList<>();
        token.get().ifPresent(further::add);
        for (RunSpec.ProcessSpec process : spec.processes()) {
            if (process.rank() == rank) {
                environment.putAll(process.environment());
            }
        }
        String key = environment.getOrDefault("ADAPTDL_JOB_ID", "").split("/", 2)[0];
        further.add(key);
        return SecretMask.of(environment, further);
    }

    /** Sends the pending output. Returns false if it must be sent again. */
    private boolean send(LogSource source, RunLogs logs) throws InterruptedException {
        ServiceSession.Terms terms = link.terms();
        while (!logs.pending.isEmpty()) {
            if (terms == null) {
                return false;
            }
            List<RankOutput> part = part(logs.pending);
            if (!send(source.spec(), new LogUpload(terms.registrationEpoch(), logs.seq, part))) {
                return false;
            }
            logs.pending.subList(0, part.size()).clear();
        }
        return true;
    }

    /** Returns the first elements that fit into one request. */
    private static List<RankOutput> part(List<RankOutput> outputs) {
        int count = 0;
        int bytes = 0;
        for (RankOutput output : outputs) {
            bytes += JSON.writeValueAsBytes(output).length;
            if (count > 0 && (bytes > MAX_BYTES || count == MAX_RANKS)) {
                break;
            }
            count++;
        }
        return List.copyOf(outputs.subList(0, count));
    }

    private boolean send(RunSpec spec, LogUpload upload) throws InterruptedException {
        try {
            Answer answer = service.post(
                    "/api/v1/executors/%s/assignments/%s/logs".formatted(node, spec.id()), upload, REQUEST_TIMEOUT);
            if (answer.isFine()) {
                return true;
            }
            if (answer.json().path("action").asString("").equals("REGISTER")) {
                link.registerAgain(upload.registrationEpoch());
                return false;
            }
            if (answer.status() / 100 == 5 || answer.status() == TIMEOUT || answer.status() == TOO_MANY) {
                return false;
            }
            // a generation that newer ones have replaced, or a service of an earlier version
            log.accept("the service rejected output of %s: %s".formatted(spec.id(), answer.problem()));
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }
}
