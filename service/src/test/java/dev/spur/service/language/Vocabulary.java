package dev.spur.service.language;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Words that no name of a type, package, route, field, operation, metric, table or column may contain. */
public final class Vocabulary {
    /** Words of everyday language, metaphors and British spellings, in lower case. */
    public static final Set<String> DENIED = Set.of(
            "ageing",
            "anew",
            "aside",
            "asked",
            "await",
            "awaits",
            "behaviour",
            "believed",
            "beside",
            "comer",
            "concerned",
            "courier",
            "custody",
            "dearest",
            "deferral",
            "desk",
            "disguise",
            "door",
            "fares",
            "fate",
            "fewest",
            "findings",
            "foretold",
            "forgetful",
            "forgetting",
            "gathering",
            "hear",
            "heard",
            "journey",
            "judge",
            "kept",
            "knows",
            "learnt",
            "looked",
            "lore",
            "mend",
            "mended",
            "mending",
            "misfits",
            "neighbour",
            "overtaken",
            "owes",
            "patience",
            "patient",
            "people",
            "person",
            "persons",
            "promise",
            "promised",
            "quiet",
            "reasontoken",
            "retune",
            "rollcall",
            "said",
            "says",
            "seat",
            "seating",
            "sentence",
            "setaside",
            "sitting",
            "steward",
            "stranger",
            "tell",
            "telling",
            "tripped",
            "trouble",
            "untouchable",
            "utilisation",
            "vigil",
            "wanted",
            "worth");

    /** Words for persons, and for what persons do. The subject of a name is a component. */
    static final Set<String> PERSONS = Set.of(
            "anybody", "everybody", "hears", "nobody", "nobodys", "somebody", "tells", "told", "whoever", "whom");

    private static final Pattern BOUNDARY = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+");

    private Vocabulary() {}

    /** Returns the words of {@code name} in lower case, in any case style. */
    static List<String> wordsOf(String name) {
        return BOUNDARY.splitAsStream(name)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the denied words in {@code name}, in any case style. */
    public static List<String> deniedIn(String name) {
        return wordsOf(name).stream()
                .filter(word -> DENIED.contains(word) || PERSONS.contains(word))
                .toList();
    }
}
