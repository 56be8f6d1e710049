package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The resources allocated to a preparation.
 *
 * @param node id of the node on which it runs
 * @param cpus host CPUs of that node, above 0
 * @param localGiB memory of that node, whole GiB, at least 1
 * @param loans memory of other nodes, by the lender's id, each once; none of them is {@code node}
 * @param since start time, seconds on the clock of the problem
 */
public record PreparationAllocation(String node, double cpus, int localGiB, List<Loan> loans, double since) {
    public PreparationAllocation {
        Checks.nonBlank("node", node);
        Checks.positive("cpus", cpus);
        Checks.atLeast("localGiB", localGiB, 1);
        loans = Checks.copy(loans).stream()
                .sorted(Comparator.comparing(Loan::lender))
                .toList();
        Set<String> lenders = new HashSet<>();
        for (Loan loan : loans) {
            Checks.require(lenders.add(loan.lender()), "node %s lends twice", loan.lender());
            Checks.require(!loan.lender().equals(node), "node %s lends to itself", node);
        }
    }

    /** Returns the borrowed memory, GiB. */
    public int borrowedGiB() {
        return loans.stream().mapToInt(Loan::gib).sum();
    }

    /** Returns the memory borrowed from {@code lender}, GiB; 0 if there is none. */
    public int borrowedFrom(String lender) {
        return loans.stream()
                .filter(loan -> loan.lender().equals(lender))
                .mapToInt(Loan::gib)
                .sum();
    }

    /** Returns this allocation with other loans. */
    public PreparationAllocation withLoans(List<Loan> other) {
        return new PreparationAllocation(node, cpus, localGiB, other, since);
    }
}
