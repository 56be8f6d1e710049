package dev.spur.service.plan;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A poll of the feed.
 *
 * @param node node whose part is requested; null for the whole plan
 * @param known revision that the caller has; null if none
 * @param view scope of the caller on the whole plan; null for all of it
 * @param zipped true if the caller accepts the whole plan in gzip; parts of nodes are small, and never compressed
 */
record Poll(
        @Nullable String node,
        @Nullable Long known,
        @Nullable UnaryOperator<PlanDocument> view,
        boolean zipped) {
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,15})\"");

    /** The poll for a revision and an ETag, either of which may be absent; the revision takes precedence. */
    static Poll of(@Nullable String node, Optional<Long> after, Optional<String> ifNoneMatch) {
        return new Poll(
                node, after.or(() -> ifNoneMatch.flatMap(Poll::revision)).orElse(null), null, false);
    }

    /** This poll with a scope on the plan. */
    Poll seeing(UnaryOperator<PlanDocument> part) {
        return new Poll(node, known, part, zipped);
    }

    /** This poll with gzip, if {@code taken}. */
    Poll inGzip(boolean taken) {
        return new Poll(node, known, view, taken);
    }

    boolean isOfWholePlan() {
        return node == null;
    }

    /** The ETag. That of the whole plan is weak, because compressed bytes differ. */
    String tag(EncodedBody answer) {
        return (isOfWholePlan() ? "W/\"" : "\"") + answer.revision() + "\"";
    }

    /** The response body for {@code edition}. */
    EncodedBody answer(PublishedPlan edition) {
        if (node != null) {
            return edition.part(node);
        }
        PlanDocument whole = edition.document();
        return view == null || whole == null ? edition.plan() : EncodedBody.of(whole.revision(), view.apply(whole));
    }

    /**
     * True if the caller must receive a response at once. A caller with a revision that does not exist yet saw the
     * database before a restore, and must start again.
     */
    boolean isNews(PublishedPlan edition) {
        return known == null
                || known > edition.revision()
                || known < (node == null ? edition.plan() : edition.part(node)).revision();
    }

    /** The number in the first tag of a list that has the form of this service's tags. */
    private static Optional<Long> revision(String ifNoneMatch) {
        Matcher tag = TAG.matcher(ifNoneMatch);
        return tag.find() ? Optional.of(Long.parseLong(tag.group(1))) : Optional.empty();
    }
}
