package dev.spur.service.web.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * A page of a list.
 *
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
    public static <T> Page<T> of(List<T> found, int limit, Function<T, ?> key) {
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
     * The first {@code max} rows that match, in the order of their keys; each row is read once.
     *
     * @param after key after which the page begins
     * @param read reads rows after a key, at most as many as its second argument
     */
    static <K, T> List<T> matching(
            K after, int max, BiFunction<K, Integer, List<T>> read, Function<T, K> key, Predicate<T> matches) {
        List<T> found = new ArrayList<>();
        K from = after;
        for (int chunk = max; ; chunk = Math.max(max, SCANNED_ROWS)) {
            List<T> rows = read.apply(from, chunk);
            rows.stream().filter(matches).limit(max - found.size()).forEach(found::add);
            if (found.size() == max || rows.size() < chunk) {
                return found;
            }
            from = key.apply(rows.get(rows.size() - 1));
        }
    }

    /** The response, with a link to the next page. */
    public ResponseEntity<Page<T>> response() {
        if (next == null) {
            return ResponseEntity.ok(this);
        }
        String link = ServletUriComponentsBuilder.fromCurrentRequest()
                .scheme(null)
                .host(null)
                .port(null)
                .replaceQueryParam("cursor", next)
                .build()
                .toUriString();
        return ResponseEntity.ok()
                .header("Link", "<%s>; rel=\"next\"".formatted(link))
                .body(this);
    }
}
