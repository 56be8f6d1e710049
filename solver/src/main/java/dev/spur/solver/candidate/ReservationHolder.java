package dev.spur.solver.candidate;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.tenant.TenantTree;
import org.jspecify.annotations.Nullable;

/** Jobs that a reservation admits. */
sealed interface ReservationHolder {
    /** Returns whether {@code job} is one of them. */
    boolean includes(Job job, TenantTree tenants);

    /** Returns the holder of {@code reservation}. */
    static ReservationHolder of(Reservation reservation) {
        return reservation.job() == null ? new TenantHolder(reservation.tenant()) : new JobHolder(reservation.job());
    }

    /** Jobs of a tenant and of the tenants below it; none for null. */
    record TenantHolder(@Nullable String tenant) implements ReservationHolder {
        @Override
        public boolean includes(Job job, TenantTree tenants) {
            return tenant != null && tenants.isWithin(job.tenant(), tenant);
        }
    }

    /** One job. */
    record JobHolder(String id) implements ReservationHolder {
        @Override
        public boolean includes(Job job, TenantTree tenants) {
            return id.equals(job.id());
        }
    }
}
