package dev.spur.connectors;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state that Spur last applied to a job, stored on the platform where the job's owner cannot write. It identifies
 * the jobs that Spur controls and reveals manual changes, so that a connector needs no state of its own.
 *
 * @param revision revision of the plan that was applied
 * @param placement desired placement; {@link JobPlacement#NONE} if the job is held
 * @param since time of the write, truncated to seconds
 */
public record LastAppliedState(long revision, JobPlacement placement, Instant since) {
    private static final Pattern FORM =
            Pattern.compile("spur rev=(\\d{1,18}) since=(\\d{1,11}) (?:hold|run=([^ ]+)(?: batch=([1-9]\\d{0,8}))?"
                    + "(?: cpus=([1-9]\\d{0,11})m memory=([1-9]\\d{0,11})Mi)?)");

    public LastAppliedState {
        since = Instant.ofEpochSecond(since.getEpochSecond());
    }

    /** Returns true if the desired state is running. */
    public boolean runs() {
        return !placement.isNowhere();
    }

    /**
     * Returns the text stored on the job, for example {@code spur rev=17 since=1767225600 run=gpu1:4 batch=512}. Host
     * resources follow in the units of Kubernetes: {@code cpus=2500m memory=32768Mi}.
     */
    public String text() {
        String slots = placement.slots().entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
        String batch = placement.batch() == null ? "" : " batch=" + placement.batch();
        HostResources granted = placement.host();
        String host =
                granted == null ? "" : " cpus=%dm memory=%dMi".formatted(granted.cpuThousandths(), granted.memoryMiB());
        return "spur rev=%d since=%d %s"
                .formatted(revision, since.getEpochSecond(), runs() ? "run=" + slots + batch + host : "hold");
    }

    /** Parses a stored text; empty if Spur did not write it. */
    public static Optional<LastAppliedState> read(String text) {
        Matcher found = FORM.matcher(text.strip());
        if (!found.matches()) {
            return Optional.empty();
        }
        try {
            Instant since = Instant.ofEpochSecond(Long.parseLong(found.group(2)));
            JobPlacement placement = placement(found.group(3));
            if (found.group(4) != null) {
                placement = placement.withBatch(Integer.valueOf(found.group(4)));
            }
            if (found.group(5) != null) {
                placement = placement.withHost(
                        new HostResources(Long.parseLong(found.group(5)), Long.parseLong(found.group(6))));
            }
            return Optional.of(new LastAppliedState(Long.parseLong(found.group(1)), placement, since));
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    private static JobPlacement placement(@Nullable String text) {
        if (text == null) {
            return JobPlacement.NONE;
        }
        Map<String, Integer> slots = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            ArgumentChecks.require(colon > 0, "invalid entry of a placement: " + entry);
            slots.put(entry.substring(0, colon), Integer.parseInt(entry.substring(colon + 1)));
        }
        return JobPlacement.of(slots);
    }
}
