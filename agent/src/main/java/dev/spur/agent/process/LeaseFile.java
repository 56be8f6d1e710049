package dev.spur.agent.process;

import java.time.Duration;

/**
 * File with the expiry of the node's lease. The guards of all jobs watch it and end their jobs when the lease has
 * expired, with or without the agent.
 */
public final class LeaseFile {
    private final StateDirectory state;

    public LeaseFile(StateDirectory state) {
        this.state = state;
    }

    /** Renews the lease by {@code ttl} from {@code uptimeAtRequest}, the time of the successful request. */
    public void renew(double uptimeAtRequest, Duration ttl) {
        SmallFile.write(state.lease(), Long.toString((long) uptimeAtRequest + ttl.toSeconds()));
    }

    /**
     * Returns the seconds since the machine started, which is the clock of leases. Must be read before the request that
     * renews the lease.
     */
    public static double uptime() {
        return Uptime.seconds();
    }

    /** Returns the remaining seconds, at most 0 if the lease has expired or was never granted. */
    public double secondsLeft() {
        return SmallFile.read(state.lease())
                .map(until -> Double.parseDouble(until) - Uptime.seconds())
                .orElse(0.0);
    }
}
