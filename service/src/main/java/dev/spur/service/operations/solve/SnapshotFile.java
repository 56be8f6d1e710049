package dev.spur.service.operations.solve;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.service.jobs.learning.FamilyPredictions;
import dev.spur.service.web.contract.Binder;
import dev.spur.service.web.contract.Contract;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;

/** Reads a round snapshot with the schema, defaults and checks of {@code POST /api/v1/solve}. */
final class SnapshotFile {
    private static final String SCHEMA = "RoundSnapshot";

    private SnapshotFile() {}

    /** A round snapshot that cannot be solved because it violates the schema or the problem rules. */
    static final class InvalidSnapshotException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient List<String> violations;

        /** @param violations all violations, one line each */
        InvalidSnapshotException(List<String> violations) {
            super(String.join("; ", violations));
            this.violations = List.copyOf(violations);
        }

        List<String> violations() {
            return violations;
        }
    }

    /**
     * Returns the problem in {@code bytes}, JSON or gzipped JSON, with the predictions for its measured families.
     *
     * @throws InvalidSnapshotException with all violations
     */
    static RoundProblem read(byte[] bytes) throws InvalidSnapshotException {
        RoundProblem problem = parse(bytes);
        List<String> violations = ProblemCheck.violations(problem).stream()
                .map(violation -> line(violation.subject(), violation.message()))
                .toList();
        require(violations);
        return FamilyPredictions.apply(problem);
    }

    private static RoundProblem parse(byte[] bytes) throws InvalidSnapshotException {
        try {
            JsonNode tree = Contract.parse(unpack(bytes));
            Contract contract = Contract.load();
            require(contract.complete(SCHEMA, tree).stream()
                    .map(SnapshotFile::line)
                    .toList());
            return Binder.bind(tree, RoundProblem.class);
        } catch (ProblemException mismatch) {
            List<FieldError> errors = mismatch.errors();
            throw new InvalidSnapshotException(
                    errors.isEmpty()
                            ? List.of(mismatch.getMessage())
                            : errors.stream().map(SnapshotFile::line).toList());
        }
    }

    private static byte[] unpack(byte[] bytes) throws InvalidSnapshotException {
        boolean packed = bytes.length > 1 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
        if (!packed) {
            return bytes;
        }
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return stream.readAllBytes();
        } catch (IOException broken) {
            throw new InvalidSnapshotException(
                    List.of("has the gzip signature, but decompression fails: " + broken.getMessage()));
        }
    }

    private static void require(List<String> violations) throws InvalidSnapshotException {
        if (!violations.isEmpty()) {
            throw new InvalidSnapshotException(violations);
        }
    }

    private static String line(FieldError error) {
        return line(Objects.requireNonNullElse(error.pointer(), ""), error.message());
    }

    private static String line(String place, String message) {
        return place.isEmpty() ? message : place + ": " + message;
    }
}
