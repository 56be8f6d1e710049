package dev.spur.service.jobs.lifecycle;

import dev.spur.service.web.contract.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Indices of an array of jobs, such as {@code 0-99:2,200}, as {@code --array} of Slurm states them. */
final class ArrayIndices {
    /** Maximum number of jobs of an array. */
    static final int MAX_SIZE = 10_000;

    private static final String PLACE = "/indices";
    private static final int MAX_INDEX = 1_000_000;

    private ArrayIndices() {}

    /**
     * Returns the indices in ascending order.
     *
     * @param text comma-separated indices and ranges {@code FROM-TO} or {@code FROM-TO:STEP}, by the pattern of the
     *     contract
     * @param errors receives what is wrong
     */
    static List<Integer> parse(String text, List<FieldError> errors) {
        Set<Integer> indices = new TreeSet<>();
        Set<String> messages = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            String[] numbers = part.split("[-:]", -1);
            int from = Integer.parseInt(numbers[0]);
            int to = numbers.length > 1 ? Integer.parseInt(numbers[1]) : from;
            int step = numbers.length > 2 ? Integer.parseInt(numbers[2]) : 1;
            if (to < from || step < 1 || to > MAX_INDEX) {
                messages.add("%s is no range FROM-TO:STEP with FROM at most TO, STEP at least 1, and TO at most %d"
                        .formatted(part, MAX_INDEX));
                continue;
            }
            for (int index = from; index <= to && indices.size() <= MAX_SIZE; index += step) {
                indices.add(index);
            }
        }
        if (indices.size() > MAX_SIZE) {
            messages.add("has more than %d indices; submit several arrays".formatted(MAX_SIZE));
        }
        messages.forEach(message -> errors.add(FieldError.at(PLACE, message)));
        return new ArrayList<>(indices);
    }
}
