package dev.spur.connectors.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * GPUs in a GRES or TRES string, such as {@code gpu:h200:8(S:0-1)}, {@code gres:gpu:4}, or for GPU slices
 * {@code gpu:a100_3g.20gb:2}.
 *
 * @param type GPU type; empty if not specified
 * @param count number of GPUs
 */
record Gres(String type, int count) {
    private static final Pattern GPU = Pattern.compile(
            "(?:^|,)(?:gres[:/])?gpu(?::([^:(,=]*[A-Za-z][^:(,=]*))?(?:[:=](\\d+))?(?:\\([^)]*\\))?(?=,|$)");

    /** Parses all GPU entries of a string; empty if there are none. */
    static List<Gres> all(String text) {
        List<Gres> found = new ArrayList<>();
        Matcher gpu = GPU.matcher(text);
        while (gpu.find()) {
            String type = gpu.group(1) == null ? "" : gpu.group(1);
            int count = gpu.group(2) == null ? 1 : Integer.parseInt(gpu.group(2));
            found.add(new Gres(type, count));
        }
        return found;
    }

    /** Returns the number of GPUs of all types in a string. */
    static int count(String text) {
        return all(text).stream().mapToInt(Gres::count).sum();
    }

    /** Returns a job's request with the same GPU type and {@code count} GPUs. */
    static String request(String before, int count) {
        String type = all(before).stream().findFirst().map(Gres::type).orElse("");
        return type.isEmpty() ? "gres:gpu:" + count : "gres:gpu:%s:%d".formatted(type, count);
    }
}
