package dev.spur.service.plan;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks the feed.
 *
 * @param node the node whose part is wanted; null for the whole plan
 * @param known revision that the caller has; null if none
 * @param view what the caller sees of the whole plan; null if it sees all of it
 * @param zipped true if the caller wants the whole plan in gzip; parts of nodes are small, and never are
 */
record Poll(
        @Nullable String node,
        @Nullable Long known,
        @Nullable UnaryOperator<PlanDocument> view,
        boolean zipped) {
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,15})\"");

    /** The poll behind a revision and an ETag, either of which may be absent; the revision counts first. */
    static Poll of(@Nullable String node, Optional<Long> after, Optional<String> ifNoneMatch) {
        return new Poll(
                node, after.or(() -> ifNoneMatch.flatMap(Poll::revision)).orElse(null), null, false);
    }

    /** This poll by a caller who sees a part of the plan. */
    Poll seeing(UnaryOperator<PlanDocument> part) {
        return new Poll(node, known, part, zipped);
    }

    /** This poll by a caller who takes the whole plan in gzip, if {@code taken}. */
    Poll inGzip(boolean taken) {
        return new Poll(node, known, view, taken);
    }

    boolean isOfWholePlan() {
        return node == null;
    }

    /** That of the whole plan is weak: its bytes are not the same for who takes it in gzip. */
    String tag(EncodedBody answer) {
        return (isOfWholePlan() ? "W/\"" : "\"") + answer.revision() + "\"";
    }

    /** The answer as of {@code edition}. */
    EncodedBody answer(PublishedPlan edition) {
        if (node != null) {
            return edition.part(node);
        }
        PlanDocument whole = edition.document();
        return view == null || whole == null ? edition.plan() : EncodedBody.of(whole.revision(), view.apply(whole));
    }

    /**
     * True if the caller should hear at once. One who knows a revision that is not there yet has seen a database that
     * was restored since, and must begin anew.
     */
    boolean isNews(PublishedPlan edition) {
        return known == null
                || known > edition.revision()
                || known < (node == null ? edition.plan() : edition.part(node)).revision();
    }

    /** The number in the first tag of a list that looks like one of ours. */
    private static Optional<Long> revision(String ifNoneMatch) {
        Matcher tag = TAG.matcher(ifNoneMatch);
        return tag.find() ? Optional.of(Long.parseLong(tag.group(1))) : Optional.empty();
    }
}
