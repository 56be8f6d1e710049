package dev.spur.model.whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Operations on lists in which every name is unique. */
final class NamedLists {
    private NamedLists() {}

    /** Returns the list with the element of the same name replaced by {@code one}, or with {@code one} appended. */
    static <T> List<T> put(List<T> all, Function<T, String> name, T one) {
        if (!has(all, name, name.apply(one))) {
            return Stream.concat(all.stream(), Stream.of(one)).toList();
        }
        List<T> changed = new ArrayList<>(all);
        changed.replaceAll(other -> name.apply(other).equals(name.apply(one)) ? one : other);
        return changed;
    }

    static <T> List<T> without(List<T> all, Function<T, String> name, String gone) {
        return all.stream().filter(other -> !name.apply(other).equals(gone)).toList();
    }

    static <T> boolean has(List<T> all, Function<T, String> name, String desired) {
        return all.stream().anyMatch(other -> name.apply(other).equals(desired));
    }
}
