package dev.spur.model.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Evaluation of a rule for many elements, on all cores where that pays. */
final class ParallelRules {
    /** Number of elements below which a second thread costs more than it saves. */
    private static final int WORTH_PARALLEL = 300;

    private ParallelRules() {}

    /** Returns the elements of {@code list}; results collected from them keep its order. */
    static <T> Stream<T> stream(List<T> list) {
        return list.size() < WORTH_PARALLEL ? list.stream() : list.parallelStream();
    }

    /** Returns the violations that {@code rule} adds for each element of {@code list}, in its order. */
    static <T> List<Violation> violations(List<T> list, BiConsumer<T, List<Violation>> rule) {
        return stream(list)
                .flatMap(element -> {
                    List<Violation> own = new ArrayList<>(0);
                    rule.accept(element, own);
                    return own.stream();
                })
                .toList();
    }
}
