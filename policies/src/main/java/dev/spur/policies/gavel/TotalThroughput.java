package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import java.util.Optional;

/** Shares with the highest sum of speeds, in steps at the initial batch size: Gavel's cost policy at equal prices. */
final class TotalThroughput {
    private TotalThroughput() {}

    static Optional<Shares> shares(JobSpeeds speed) {
        ShareProgram shares = new ShareProgram(speed, 0);
        double largest =
                speed.jobs().stream().mapToDouble(j -> steps(speed, j)).max().orElse(1);
        for (int j : speed.jobs()) {
            int sum = shares.program().variable(0, Double.POSITIVE_INFINITY, 1);
            int row = shares.program().atLeast(0);
            shares.addSpeed(row, j, steps(speed, j) / speed.equal(j) / largest);
            shares.program().add(row, sum, -1);
        }
        return shares.solve();
    }

    /** Returns the steps per second with equal shares. */
    private static double steps(JobSpeeds speed, int j) {
        return speed.equal(j) / speed.view().job(j).spec().batch().initial();
    }
}
