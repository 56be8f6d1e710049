package dev.spur.service.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The rules for prose: a deny list with the term to use instead, and the length of a sentence.
 *
 * <p>The deny list holds words that an engineer cannot search for or must translate: components as persons, everyday
 * verbs for technical acts, archaic particles and British spellings.
 */
public final class Prose {
    /** Maximum number of words in a sentence. */
    static final int MAX_WORDS = 30;

    private static final Map<String, String> REPLACEMENTS = Map.ofEntries(
            Map.entry("nobody|somebody|everybody|anybody|whoever|whom|everyone|someone|anyone", "name the component"),
            Map.entry("persons?|people", "users, operators"),
            Map.entry("those who|one who|all who|he who", "name the component"),
            Map.entry("anew|of late|at present|just so|so many", "again, recently, currently"),
            Map.entry("beside", "in addition to, alongside, next to"),
            Map.entry("in place of|in stead of", "instead of"),
            Map.entry("mend(?:s|ed|ing)?", "fix"),
            Map.entry("foret(?:old|ell|ells|elling)|forebod(?:es|ed)", "predict"),
            Map.entry("made[- ]up", "synthetic"),
            Map.entry("takes? (?:\\w+ )?for lost|taken for lost|taken for", "mark as lost"),
            Map.entry("to be had|comes? to nothing|came to nothing|counts? for nothing", "state the result"),
            Map.entry("goes on|go on|went on|going on|gone on", "continue"),
            Map.entry("tells?|told|telling", "report, return, notify"),
            Map.entry("says?|said|saying", "report, state"),
            Map.entry("hears?|heard|hearing", "receive"),
            Map.entry("sp(?:eaks?|oke|oken)", "state"),
            Map.entry("dearest|fewest", "highest-priced, minimum"),
            Map.entry("call(?:s|ed|ing)? off", "cancel"),
            Map.entry("g(?:ive|ives|ave|iven|iving) up", "abort"),
            Map.entry("judges?|judged|judging", "validate, validator"),
            Map.entry("ow(?:e|es|ed|ing)", "commitment"),
            Map.entry("settl(?:e|es|ed|ing)", "assign, decide, resolve"),
            Map.entry("(?:the|its|their|a|of|no) worth|worth of", "utility, objective value"),
            Map.entry("let(?:s|ting)? go", "release"),
            Map.entry("(?:held|holds?|holding) back", "hold"),
            Map.entry("learnt", "learned"),
            Map.entry("(?<!connection )refus(?:e|es|ed|ing|als?)", "reject"),
            Map.entry(
                    "colours?|behaviou?rs?(?<!behaviors?)|neighbour\\w*|favour\\w*|honour\\w*|centres?|programmes?",
                    "American"),
            Map.entry(
                    "ageing|modell(?:ed|ing)|cancell(?:ed|ing)|labell(?:ed|ing)|licences?|catalogues?",
                    "American spelling"),
            Map.entry("\\w+is(?:ation|ations)(?<!improvisation)", "American spelling: -ization"),
            Map.entry(
                    "(?:optim|util|serial|synchron|initial|normal|minim|maxim|summar|organ)is(?:e|es|ed|ing)", "-ize"));

    private static final List<Rule> RULES = REPLACEMENTS.entrySet().stream()
            .map(entry -> new Rule(
                    Pattern.compile("\\b(?:" + entry.getKey() + ")\\b", Pattern.CASE_INSENSITIVE), entry.getValue()))
            .toList();

    /** A subordinate clause as a noun at the start of a sentence: "Who waits keeps its place." */
    private static final Pattern HEADLESS = Pattern.compile("^(?:Who|Whose|What|That which) [^?]*$");

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?;:])\\s+");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}'’_./%-]*");

    private Prose() {}

    private record Rule(Pattern pattern, String replacement) {}

    /** Returns one line per violation in the passage, each with place, rule and sentence. */
    public static List<String> violations(Passage passage) {
        List<String> found = new ArrayList<>();
        for (Rule rule : RULES) {
            for (MatchResult match :
                    rule.pattern().matcher(passage.text()).results().toList()) {
                if (isConstant(match.group())) {
                    continue;
                }
                found.add("%s: \"%s\" (%s): %s"
                        .formatted(passage.place(), match.group(), rule.replacement(), around(passage.text(), match)));
            }
        }
        SENTENCE_END.splitAsStream(passage.text()).forEach(message -> {
            if (HEADLESS.matcher(message).matches()) {
                found.add("%s: clause without a subject: %s".formatted(passage.place(), message));
            }
            long words = WORD.matcher(message).results().count();
            if (words > MAX_WORDS) {
                found.add("%s: %d words: %s".formatted(passage.place(), words, message));
            }
        });
        return found;
    }

    /** Returns whether the word is the name of an enum constant, such as {@code CANCELLED}. */
    private static boolean isConstant(String word) {
        return word.length() > 1 && word.equals(word.toUpperCase(Locale.ROOT));
    }

    private static String around(String text, MatchResult match) {
        return text.substring(Math.max(0, match.start() - 40), Math.min(text.length(), match.end() + 40));
    }
}
