package dev.spur.connectors;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The settings for Spur that the job's owner writes into a text field of the platform. The text is the word
 * {@code spur}, followed by {@code name=value} pairs separated by blanks or commas. A text with another first word is
 * not an annotation.
 *
 * @param offered true if the owner permits Spur to control the job
 * @param values values by setting
 * @param errors errors of the text; Spur does not control a job with errors
 */
public record JobAnnotation(boolean offered, Map<String, String> values, List<String> errors) {
    /** No annotation. */
    public static final JobAnnotation NONE = new JobAnnotation(false, Map.of(), List.of());

    /** Setting of a job whose program starts with the planned batch size. */
    public static final String ELASTIC_BATCH = "elastic-batch";

    /**
     * Setting with the relative speeds of a job by host resources of each slot, on platforms that grant them at the
     * start.
     */
    public static final String HOST_LEVELS = "host-levels";

    /** Setting with the level of the topology within which all nodes of a job must be. */
    public static final String WITHIN = "within";

    /** Setting with the level of the topology within which all nodes of a job should be. */
    public static final String PREFER_WITHIN = "prefer-within";

    private static final Set<String> NAMES = Set.of(
            "family",
            "gpus",
            "batch",
            ELASTIC_BATCH,
            "samples",
            "tenant",
            "priority",
            "signal",
            "fixed",
            "device-batch",
            "noise",
            "efficiency",
            "deadline",
            "group",
            "cpus",
            "memory",
            "after",
            WITHIN,
            PREFER_WITHIN);
    private static final Pattern RANGE = Pattern.compile("([1-9]\\d{0,8})(?:-([1-9]\\d{0,8}))?");
    private static final Pattern SPEED =
            Pattern.compile("([1-9]\\d{0,5}):([1-9]\\d{0,8}):(\\d{1,4}):(\\d{1,12}(?:\\.\\d{1,6})?)");
    private static final Pattern HOST_SPEED = Pattern.compile("%1$s:%1$s:%1$s".formatted("(\\d{1,7}(?:\\.\\d{1,3})?)"));
    private static final Pattern EFFICIENCY = Pattern.compile("([1-9]\\d{0,6}):(1(?:\\.0)?|0\\.(?!0*$)\\d{1,6})");
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(?:\\.\\d{1,6})?");
    private static final Pattern SIGNAL = Pattern.compile("(?:SIG)?([A-Z][A-Z0-9+]{1,9})@(\\d{1,5})");

    public JobAnnotation {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
        errors = List.copyOf(errors);
    }

    /** Parses {@code text}. */
    public static JobAnnotation read(String text) {
        return read(text, Set.of());
    }

    /**
     * Parses {@code text}.
     *
     * @param additional additional settings of the platform
     */
    public static JobAnnotation read(String text, Set<String> additional) {
        String[] fields = text.strip().split("[\\s,]+", -1);
        if (!fields[0].equals("spur")) {
            return NONE;
        }
        Map<String, String> values = new TreeMap<>();
        List<String> errors = new ArrayList<>();
        for (int w = 1; w < fields.length; w++) {
            if (fields[w].isEmpty()) {
                continue;
            }
            String[] pair = fields[w].split("=", 2);
            String value = pair.length == 2 ? pair[1] : "";
            validate(pair[0], value, additional).ifPresent(errors::add);
            if (values.put(pair[0], value) != null) {
                errors.add(pair[0] + " is set twice");
            }
        }
        if (values.containsKey(WITHIN) && values.containsKey(PREFER_WITHIN)) {
            errors.add("within and prefer-within are both set");
        }
        return new JobAnnotation(true, values, errors);
    }

    private static Optional<String> validate(String name, String value, Set<String> additional) {
        if (!NAMES.contains(name) && !additional.contains(name)) {
            return Optional.of("unknown setting " + name);
        }
        boolean valid = switch (name) {
            case "fixed", ELASTIC_BATCH -> value.isEmpty();
            case "gpus", "batch", "aggregation" -> isRange(value);
            case "speeds" -> isListOf(SPEED, value);
            case HOST_LEVELS -> isListOf(HOST_SPEED, value) && hostSpeeds(value).allMatch(HostSpeed::isPositive);
            case "efficiency" -> isListOf(EFFICIENCY, value);
            case "noise", "cpus", "memory" -> DECIMAL.matcher(value).matches();
            case "samples", "gradients" -> value.matches("[1-9]\\d{0,15}");
            case "device-batch" -> value.matches("[1-9]\\d{0,6}");
            case "deadline" -> isTime(value);
            case WITHIN, PREFER_WITHIN -> value.matches("rack|block");
            case "priority" -> value.matches("-?(10|\\d)");
            case "signal" -> SIGNAL.matcher(value).matches();
            default -> !value.isBlank();
        };
        return valid ? Optional.empty() : Optional.of("invalid value of %s: \"%s\"".formatted(name, value));
    }

    private static boolean isListOf(Pattern item, String value) {
        return List.of(value.split("\\+", -1)).stream()
                .allMatch(text -> item.matcher(text).matches());
    }

    private static boolean isTime(String value) {
        try {
            Instant.parse(value);
            return true;
        } catch (DateTimeParseException other) {
            return false;
        }
    }

    private static boolean isRange(String value) {
        Matcher range = RANGE.matcher(value);
        return range.matches()
                && (range.group(2) == null || Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2)));
    }

    /**
     * Returns this annotation with {@code value} for a setting that the owner leaves out, as the platform states it.
     * Empty leaves the annotation unchanged.
     */
    public JobAnnotation withDefault(String name, Optional<String> value) {
        if (!offered || has(name) || value.isEmpty()) {
            return this;
        }
        Map<String, String> more = new TreeMap<>(values);
        more.put(name, value.get());
        return new JobAnnotation(true, more, errors);
    }

    /**
     * Returns this annotation with the share of {@code amount} for one of {@code slots} as the default of a setting.
     * The share is rounded down, so that all shares together fit where the amount fits. An amount of 0 changes nothing.
     */
    public JobAnnotation withDefaultShare(String name, double amount, int slots) {
        return withDefault(
                name,
                amount > 0 && slots > 0
                        ? Optional.of(String.format(Locale.ROOT, "%.6f", Math.floor(amount / slots * 1e6) / 1e6))
                        : Optional.empty());
    }

    /** Returns the value of a setting. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Returns true if the setting is present, with or without a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the list of a setting, separated by {@code +}; empty if the setting is absent. */
    public List<String> names(String name) {
        return value(name).map(text -> List.of(text.split("\\+", -1))).orElse(List.of());
    }

    /**
     * An inclusive range.
     *
     * @param min at least 1
     * @param max at least {@code min}
     */
    public record Range(int min, int max) {}

    /** Returns the range of a setting. A single number is a range with equal ends. */
    public Optional<Range> range(String name) {
        return value(name).map(RANGE::matcher).filter(Matcher::matches).map(found -> {
            int min = Integer.parseInt(found.group(1));
            return new Range(min, found.group(2) == null ? min : Integer.parseInt(found.group(2)));
        });
    }

    /**
     * A measured throughput.
     *
     * @param slots devices used, at least 1
     * @param batch global batch size, at least 1
     * @param aggregation aggregation slots used, 0 for AllReduce
     * @param samplesPerSecond throughput, at least 0
     */
    public record Speed(int slots, int batch, int aggregation, double samplesPerSecond) {}

    /** Returns the measured throughputs: {@code speeds=SLOTS:BATCH:AGGREGATION:SAMPLES_PER_SECOND+...}. */
    public List<Speed> speeds() {
        return names("speeds").stream()
                .map(SPEED::matcher)
                .filter(Matcher::matches)
                .map(point -> new Speed(
                        Integer.parseInt(point.group(1)),
                        Integer.parseInt(point.group(2)),
                        Integer.parseInt(point.group(3)),
                        Double.parseDouble(point.group(4))))
                .toList();
    }

    /**
     * The speed of a job with host resources.
     *
     * @param cpus CPUs of each slot, at least 0
     * @param memoryGiB memory of each slot in GiB, at least 0
     * @param speed throughput relative to that with the resources of speed 1, at least 0
     */
    public record HostSpeed(double cpus, double memoryGiB, double speed) {
        private boolean isPositive() {
            return cpus > 0 && memoryGiB > 0 && speed > 0;
        }
    }

    /** Returns the speeds by host resources, each above 0: {@code host-levels=CPUS:GIB:SPEED+...}. */
    public List<HostSpeed> hostSpeeds() {
        return value(HOST_LEVELS).stream().flatMap(JobAnnotation::hostSpeeds).toList();
    }

    private static Stream<HostSpeed> hostSpeeds(String text) {
        return Stream.of(text.split("\\+", -1))
                .map(HOST_SPEED::matcher)
                .filter(Matcher::matches)
                .map(level -> new HostSpeed(
                        Double.parseDouble(level.group(1)),
                        Double.parseDouble(level.group(2)),
                        Double.parseDouble(level.group(3))));
    }

    /** Returns the number of a setting; 0 if the setting is absent. */
    public double number(String name) {
        return value(name)
                .filter(text -> DECIMAL.matcher(text).matches())
                .map(Double::valueOf)
                .orElse(0.0);
    }

    /** Returns the statistical efficiency by batch size: {@code efficiency=BATCH:EFFICIENCY+...}. */
    public Map<Integer, Double> efficiency() {
        Map<Integer, Double> table = new TreeMap<>();
        names("efficiency").stream()
                .map(EFFICIENCY::matcher)
                .filter(Matcher::matches)
                .forEach(point -> table.put(Integer.valueOf(point.group(1)), Double.valueOf(point.group(2))));
        return table;
    }

    /**
     * A signal that requests a checkpoint before the job stops.
     *
     * @param name name of the signal, without SIG
     * @param seconds time from the signal to the stop, at least 0
     */
    public record Signal(String name, int seconds) {}

    /** Returns the checkpoint signal; empty if the job has none. */
    public Optional<Signal> signal() {
        return value("signal")
                .map(SIGNAL::matcher)
                .filter(Matcher::matches)
                .map(found -> new Signal(found.group(1), Integer.parseInt(found.group(2))));
    }
}
