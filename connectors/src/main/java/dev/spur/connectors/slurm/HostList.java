package dev.spur.connectors.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expansion of a Slurm hostlist: {@code cpu1,gpu[01-03,7]} becomes {@code cpu1, gpu01, gpu02, gpu03, gpu7}. */
final class HostList {
    private static final Pattern PART = Pattern.compile("([^,\\[]*)(?:\\[([^\\]]*)\\])?([^,\\[]*)(?:,|$)");

    private HostList() {}

    static List<String> expand(String text) {
        List<String> names = new ArrayList<>();
        Matcher part = PART.matcher(text.strip());
        while (part.find()) {
            if (part.group().isEmpty()) {
                break;
            }
            if (part.group(2) == null) {
                names.add(part.group(1));
            } else {
                for (String range : part.group(2).split(",", -1)) {
                    addRange(names, part.group(1), range, part.group(3));
                }
            }
        }
        return names;
    }

    private static void addRange(List<String> names, String before, String range, String after) {
        String[] ends = range.split("-", 2);
        int digits = ends[0].length();
        int last = Integer.parseInt(ends[ends.length - 1]);
        for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
            names.add(before + ("%0" + digits + "d").formatted(number) + after);
        }
    }
}
