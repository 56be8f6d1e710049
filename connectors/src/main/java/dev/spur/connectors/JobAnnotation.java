package dev.spur.connectors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the owner of a job says of it to Spur, in a text that the platform keeps with it: the word {@code spur}, then
 * {@code name=value} separated by blanks or commas. A text that begins otherwise is not for Spur.
 *
 * @param offered true if the job is offered to Spur
 * @param values what is said, by name
 * @param errors what is not understood; a job with errors is left alone
 */
public record JobAnnotation(boolean offered, Map<String, String> values, List<String> errors) {
    /** Nothing is said. */
    public static final JobAnnotation NONE = new JobAnnotation(false, Map.of(), List.of());

    private static final Set<String> NAMES =
            Set.of("family", "gpus", "batch", "samples", "tenant", "priority", "signal", "fixed");
    private static final Pattern RANGE = Pattern.compile("([1-9]\\d{0,8})(?:-([1-9]\\d{0,8}))?");
    private static final Pattern SPEED =
            Pattern.compile("([1-9]\\d{0,5}):([1-9]\\d{0,8}):(\\d{1,4}):(\\d{1,12}(?:\\.\\d{1,6})?)");
    private static final Pattern SIGNAL = Pattern.compile("(?:SIG)?([A-Z][A-Z0-9+]{1,9})@(\\d{1,5})");

    public JobAnnotation {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
        errors = List.copyOf(errors);
    }

    /** Reads what is said in {@code text}. */
    public static JobAnnotation read(String text) {
        return read(text, Set.of());
    }

    /**
     * Reads what is said in {@code text}.
     *
     * @param further names that are words on this platform only
     */
    public static JobAnnotation read(String text, Set<String> further) {
        String[] words = text.strip().split("[\\s,]+", -1);
        if (!words[0].equals("spur")) {
            return NONE;
        }
        Map<String, String> values = new TreeMap<>();
        List<String> errors = new ArrayList<>();
        for (int w = 1; w < words.length; w++) {
            if (words[w].isEmpty()) {
                continue;
            }
            String[] pair = words[w].split("=", 2);
            String value = pair.length == 2 ? pair[1] : "";
            errorIn(pair[0], value, further).ifPresent(errors::add);
            if (values.put(pair[0], value) != null) {
                errors.add(pair[0] + " stands there twice");
            }
        }
        return new JobAnnotation(true, values, errors);
    }

    private static Optional<String> errorIn(String name, String value, Set<String> further) {
        if (!NAMES.contains(name) && !further.contains(name)) {
            return Optional.of("there is no word " + name);
        }
        boolean fine = switch (name) {
            case "fixed" -> value.isEmpty();
            case "gpus", "batch" -> isRange(value);
            case "aggregation" -> isRange(value);
            case "speeds" ->
                List.of(value.split("\\+", -1)).stream()
                        .allMatch(point -> SPEED.matcher(point).matches());
            case "samples", "gradients" -> value.matches("[1-9]\\d{0,15}");
            case "priority" -> value.matches("-?(10|\\d)");
            case "signal" -> SIGNAL.matcher(value).matches();
            default -> !value.isBlank();
        };
        return fine ? Optional.empty() : Optional.of("%s=%s is not understood".formatted(name, value));
    }

    private static boolean isRange(String value) {
        Matcher range = RANGE.matcher(value);
        return range.matches()
                && (range.group(2) == null || Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2)));
    }

    /** What is said under a name. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** True if the name stands there, with a value or without. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Names under a name, with {@code +} between them; none if it is not said. */
    public List<String> names(String name) {
        return value(name).map(text -> List.of(text.split("\\+", -1))).orElse(List.of());
    }

    /**
     * From one number to another, both included.
     *
     * @param least at least 1
     * @param most at least {@code least}
     */
    public record Range(int least, int most) {}

    /** The range under a name; both ends are the same if one number stands there. */
    public Optional<Range> range(String name) {
        return value(name).map(RANGE::matcher).filter(Matcher::matches).map(found -> {
            int least = Integer.parseInt(found.group(1));
            return new Range(least, found.group(2) == null ? least : Integer.parseInt(found.group(2)));
        });
    }

    /**
     * A measured speed.
     *
     * @param slots devices used, at least 1
     * @param batch global batch size, at least 1
     * @param aggregation aggregation slots used, 0 for AllReduce
     * @param samplesPerSecond throughput, at least 0
     */
    public record Speed(int slots, int batch, int aggregation, double samplesPerSecond) {}

    /** The speeds that are said: {@code speeds=SLOTS:BATCH:AGGREGATION:SAMPLES_PER_SECOND+...}. */
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
     * Asks a job for a checkpoint before it is stopped.
     *
     * @param name name of the signal, without SIG
     * @param seconds time from the signal to the stop, at least 0
     */
    public record Signal(String name, int seconds) {}

    /** The signal that asks for a checkpoint; empty if the job wants none. */
    public Optional<Signal> signal() {
        return value("signal")
                .map(SIGNAL::matcher)
                .filter(Matcher::matches)
                .map(found -> new Signal(found.group(1), Integer.parseInt(found.group(2))));
    }
}
