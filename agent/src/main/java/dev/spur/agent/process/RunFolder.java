package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is on disk of a run: its specification, and for each process what its guard noted.
 *
 * <pre>
 * run.json             the specification; written first
 * failed               one of several processes failed by itself, so the others were told to end
 * report/stop          the run was told to end; the reporter looks for it
 * report/asked         the reporter told the training to end
 * report/progress.json how far the training is
 * report/aggregators   where shards of gradients are summed now, as JSON; only of runs that do so
 * RANK/pid, RANK/exit, RANK/lapsed
 * </pre>
 */
final class RunFolder {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder;

    RunFolder(Path folder) {
        this.folder = folder;
    }

    /** What a guard noted of itself. */
    record Guard(long pid, long startTime) {}

    void create(RunSpec spec) {
        try {
            Files.createDirectories(report());
            for (RunSpec.ProcessSpec process : spec.processes()) {
                Files.createDirectories(of(process.rank()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SmallFile.write(folder.resolve("run.json"), JSON.writeValueAsString(spec));
    }

    /** Empty if the run was not prepared to the end. */
    Optional<RunSpec> spec() {
        return SmallFile.read(folder.resolve("run.json")).map(json -> JSON.readValue(json, RunSpec.class));
    }

    Path of(int rank) {
        return folder.resolve(Integer.toString(rank));
    }

    Path report() {
        return folder.resolve("report");
    }

    Path aggregators() {
        return report().resolve("aggregators");
    }

    void markStop(String reason) {
        SmallFile.write(report().resolve("stop"), reason);
    }

    boolean isMarkedStop() {
        return Files.exists(report().resolve("stop"));
    }

    /** Notes that a process ended by itself with a status other than 0, before anybody told the run to end. */
    void markFailed() {
        SmallFile.write(folder.resolve("failed"), "");
    }

    boolean isMarkedFailed() {
        return Files.exists(folder.resolve("failed"));
    }

    boolean wasAsked() {
        return Files.exists(report().resolve("asked"));
    }

    boolean hasLapsed(int rank) {
        return Files.exists(of(rank).resolve("lapsed"));
    }

    Optional<Guard> guard(int rank) {
        return SmallFile.read(of(rank).resolve("pid")).map(line -> {
            String[] words = line.split(" ", -1);
            return new Guard(Long.parseLong(words[0]), Long.parseLong(words[1]));
        });
    }

    /** How the process ended, 0 to 255; empty if that was not noted. */
    Optional<Integer> exit(int rank) {
        return SmallFile.read(of(rank).resolve("exit")).map(Integer::valueOf);
    }

    boolean isAlive(int rank) {
        return guard(rank)
                .map(guard -> {
                    OptionalLong start = ProcessTable.startTime(guard.pid());
                    return start.isPresent() && start.getAsLong() == guard.startTime();
                })
                .orElse(false);
    }

    void delete() {
        SmallFile.deleteTree(folder);
    }
}
