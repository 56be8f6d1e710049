package dev.spur.agent.process;

import java.time.Duration;

/**
 * Up to when the service lets this node run jobs. Kept in a file, which the guards of all jobs watch: they end their
 * jobs when it has lapsed, whatever became of the agent.
 */
public final class LeaseFile {
    private final StateDirectory state;

    public LeaseFile(StateDirectory state) {
        this.state = state;
    }

    /** The service was reached at {@code uptimeAtRequest} and grants {@code ttl} from then on. */
    public void renew(double uptimeAtRequest, Duration ttl) {
        SmallFile.write(state.lease(), Long.toString((long) uptimeAtRequest + ttl.toSeconds()));
    }

    /** Seconds since the machine started, the clock of leases. Read it before the request that renews the lease. */
    public static double uptime() {
        return Uptime.seconds();
    }

    /** Seconds that are left, at most 0 if it has lapsed or was never granted. */
    public double secondsLeft() {
        return SmallFile.read(state.lease())
                .map(until -> Double.parseDouble(until) - Uptime.seconds())
                .orElse(0.0);
    }
}
