package dev.spur.agent;

import dev.spur.agent.protocol.Messages.PreparationOrder.BorrowedMemory;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Remote memory of a preparation, for its process. The keys are apart from the list, which a program may print.
 *
 * @param list the loans: {@code [{"lender": .., "address": .., "gib": .., "port": ..}, ..]}
 * @param keys key file of GnuTLS: a line with lender and key for each loan that is served
 */
record LoanFiles(String list, String keys) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A loan without its key. */
    private record Entry(
            String lender,
            String address,
            int gib,
            @Nullable Integer port) {}

    static LoanFiles of(List<BorrowedMemory> loans) {
        List<Entry> entries = loans.stream()
                .map(loan -> new Entry(loan.lender(), loan.address(), loan.gib(), loan.port()))
                .toList();
        String keys = loans.stream()
                .filter(loan -> loan.key() != null)
                .map(loan -> keyLine(loan.lender(), String.valueOf(loan.key())))
                .collect(Collectors.joining("\n"));
        return new LoanFiles(JSON.writeValueAsString(entries), keys);
    }

    /** Returns the line of a key: a user and hexadecimal digits. A colon ends the user, so names contain it as %3A. */
    static String keyLine(String lender, String key) {
        return lender.replace(":", "%3A") + ":" + key;
    }

    /** Returns the key of a line. */
    static String key(String line) {
        return line.substring(line.indexOf(':') + 1);
    }

    @Override
    public String toString() {
        return list;
    }
}
