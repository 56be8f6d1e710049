package dev.spur.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** List of nodes in the notation of Slurm, such as {@code a,node[01-03,7]}. */
final class SlurmHosts {
    private static final Pattern NAME = Pattern.compile("[^\\[\\],]+|\\[[0-9,-]+]");
    private static final Pattern LIST = Pattern.compile("([^\\[\\],]|\\[[0-9,-]+])+(,([^\\[\\],]|\\[[0-9,-]+])+)*");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");
    private static final int LIMIT = 10_000;

    private SlurmHosts() {}

    /**
     * Returns the names.
     *
     * @throws TypeConversionException if {@code text} is no list, or has more than 10,000 names
     */
    static List<String> expand(String text) {
        if (!LIST.matcher(text).matches()) {
            throw invalid(text);
        }
        List<String> names = new ArrayList<>();
        for (String entry : text.split(",(?![^\\[]*])", -1)) {
            List<String> begun = List.of("");
            Matcher part = NAME.matcher(entry);
            while (part.find()) {
                begun = part.group().startsWith("[")
                        ? extend(begun, part.group().substring(1, part.group().length() - 1), text)
                        : begun.stream().map(name -> name + part.group()).toList();
            }
            names.addAll(begun);
        }
        return names;
    }

    private static List<String> extend(List<String> begun, String ranges, String text) {
        List<String> names = new ArrayList<>();
        for (String name : begun) {
            for (String range : ranges.split(",", -1)) {
                Matcher limits = RANGE.matcher(range);
                if (!limits.matches()) {
                    throw invalid(text);
                }
                String first = limits.group(1);
                int last = Integer.parseInt(limits.group(2) == null ? first : limits.group(2));
                for (int number = Integer.parseInt(first); number <= last; number++) {
                    names.add(name + ("%0" + first.length() + "d").formatted(number));
                    if (names.size() > LIMIT) {
                        throw invalid(text);
                    }
                }
            }
        }
        return names;
    }

    private static TypeConversionException invalid(String text) {
        return new TypeConversionException(
                "'%s' is no list of at most %d nodes, such as node1,node[02-04]".formatted(text, LIMIT));
    }
}
