package dev.spur.service.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/**
 * A page of a list.
 *
 * @param items its items
 * @param next cursor of the next page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
    /** Rows that a filter reads at a time after its first page. */
    private static final int SCANNED_ROWS = 500;

    public Page {
        items = List.copyOf(items);
    }

    /**
     * The page of {@code found}, which contains one more item than the limit if there is a next page.
     *
     * @param key returns the sort key of an item, after which the next page begins
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<T, Object> key) {
        if (found.size() <= limit) {
            return new Page<>(found, null);
        }
        String last = String.valueOf(key.apply(found.get(limit - 1)));
        String cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(last.getBytes(StandardCharsets.UTF_8));
        return new Page<>(found.subList(0, limit), cursor);
    }

    /** This page with each item converted by {@code view}. */
    public <R> Page<R> map(Function<T, R> view) {
        return new Page<>(items.stream().map(view).toList(), next);
    }

    /**
     * The first {@code most} rows that match, in the order of their keys; each row is read once.
     *
     * @param after key after which the page begins
     * @param read reads rows after a key, at most as many as its second argument
     */
    public static <K, T> List<T> matching(
            K after, int most, BiFunction<K, Integer, List<T>> read, Function<T, K> key, Predicate<T> matches) {
        List<T> found = new ArrayList<>();
        K from = after;
        for (int chunk = most; ; chunk = Math.max(most, SCANNED_ROWS)) {
            List<T> rows = read.apply(from, chunk);
            rows.stream().filter(matches).limit(most - found.size()).forEach(found::add);
            if (found.size() == most || rows.size() < chunk) {
                return found;
            }
            from = key.apply(rows.get(rows.size() - 1));
        }
    }

    /** The page size that {@code request} asks for. */
    public static int limit(ContractRequest request) {
        return (int) request.number("limit");
    }

    /** The key after which a page begins; {@code first} for the first page. */
    public static String after(ContractRequest request, String first) {
        return request.optionalText("cursor").map(Page::decode).orElse(first);
    }

    /** As above, for numeric keys. */
    public static long after(ContractRequest request, long first) {
        String key = after(request, Long.toString(first));
        try {
            return Long.parseLong(key);
        } catch (NumberFormatException e) {
            throw badCursor();
        }
    }

    /** The response, with a link to the next page. */
    public ResponseEntity<Page<T>> answer(ContractRequest request) {
        if (next == null) {
            return ResponseEntity.ok(this);
        }
        StringBuilder link = new StringBuilder("<").append(request.path()).append("?");
        String query = request.query();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                if (!pair.startsWith("cursor=")) {
                    link.append(pair).append("&");
                }
            }
        }
        return ResponseEntity.ok()
                .header(
                        "Link",
                        link.append("cursor=")
                                .append(next)
                                .append(">; rel=\"next\"")
                                .toString())
                .body(this);
    }

    private static String decode(String cursor) {
        try {
            String key = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (TextCheck.isClean(key)) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            throw badCursor();
        }
        throw badCursor();
    }

    /** The problem of a cursor that no response contained. */
    public static ProblemException badCursor() {
        return ProblemException.of(
                ProblemType.INVALID_REQUEST, FieldError.inParameter("cursor", "must be the next of the previous page"));
    }
}
