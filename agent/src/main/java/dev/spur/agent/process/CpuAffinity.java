package dev.spur.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Restriction of runs to whole CPUs by their scheduling affinity, where no control group limits them. Runs have CPUs of
 * their own as long as these suffice. Requires the program {@code taskset} of util-linux. Not thread-safe.
 */
public final class CpuAffinity {
    private static final long TIMEOUT_SECONDS = 10;

    private final List<Integer> cpus;
    private final Map<String, List<Integer>> taken = new HashMap<>();

    private CpuAffinity(List<Integer> cpus) {
        this.cpus = List.copyOf(cpus);
    }

    /**
     * Returns the affinity over the CPUs that this process may use.
     *
     * @throws IOException if {@code taskset} is missing or fails; the message contains the cause
     */
    public static CpuAffinity open() throws IOException {
        String answer = call(
                List.of("taskset", "-cp", Long.toString(ProcessHandle.current().pid())));
        return new CpuAffinity(
                cpus(answer.substring(answer.lastIndexOf(':') + 1).strip()));
    }

    /** Returns the CPUs of a list such as {@code 0-3,8}. */
    static List<Integer> cpus(String list) {
        List<Integer> cpus = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            String[] ends = part.split("-", 2);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** Returns the number of CPUs that runs may use. */
    public int size() {
        return cpus.size();
    }

    /**
     * Returns the words before a command that start it on CPUs of {@code run}; empty without a limit.
     *
     * @param limit CPUs of the run, rounded up to whole ones; 0 for no limit
     */
    List<String> prefix(String run, double limit) {
        List<Integer> own = take(run, limit);
        return own.isEmpty() ? List.of() : List.of("taskset", "-c", text(own));
    }

    /**
     * Restricts running processes of {@code run}, with all their threads.
     *
     * @param limit CPUs of the run, rounded up to whole ones; 0 for no limit
     * @throws IOException if a process exists and cannot be restricted
     */
    void apply(String run, double limit, Collection<Long> processes) throws IOException {
        List<Integer> own = take(run, limit);
        String allowed = text(own.isEmpty() ? cpus : own);
        for (long pid : processes) {
            try {
                call(List.of("taskset", "-acp", allowed, Long.toString(pid)));
            } catch (IOException e) {
                if (ProcessHandle.of(pid).isPresent()) {
                    throw e;
                }
            }
        }
    }

    /** Returns the CPUs of {@code run} to others. */
    void release(String run) {
        taken.remove(run);
    }

    /** Gives {@code run} CPUs: those that it has first, then those with the minimum number of runs. */
    private List<Integer> take(String run, double limit) {
        List<Integer> before = taken.getOrDefault(run, List.of());
        taken.remove(run);
        if (limit <= 0) {
            return List.of();
        }
        Map<Integer, Long> runs = taken.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(cpu -> cpu, Collectors.counting()));
        List<Integer> own = cpus.stream()
                .sorted(Comparator.comparing((Integer cpu) -> !before.contains(cpu))
                        .thenComparing(cpu -> runs.getOrDefault(cpu, 0L)))
                .limit((long) Math.ceil(limit))
                .sorted()
                .toList();
        taken.put(run, own);
        return own;
    }

    private static String text(List<Integer> list) {
        return list.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String call(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("%s: %s".formatted(String.join(" ", command), answer));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during " + String.join(" ", command), e);
        } finally {
            process.destroy();
        }
    }
}
