package dev.spur.service.store;

import dev.spur.service.security.Reach;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reservations. */
@Repository
public class ReservationStore extends Table<TimedReservation> {
    ReservationStore(JdbcClient jdbc) {
        super(jdbc, "reservation", "name", "name, nodes, tenant, starts_at, ends_at");
    }

    @Override
    TimedReservation read(ResultSet row) throws SQLException {
        return new TimedReservation(
                row.getString("name"),
                Rows.strings(row, "nodes"),
                row.getString("tenant"),
                Rows.instant(row, "starts_at"),
                Rows.instant(row, "ends_at"));
    }

    @Override
    String within(Reach reach, List<Object> parameters) {
        if (reach.tenants() == null) {
            return "";
        }
        parameters.add(reach.tenants().toArray(String[]::new));
        return " and (tenant is null or tenant = any(?))";
    }

    @Override
    public boolean insert(TimedReservation reservation) {
        return statement(reservation, """
                        insert into reservation (nodes, tenant, starts_at, ends_at, name) values (?, ?, ?, ?, ?)
                        on conflict do nothing
                        """).update() == 1;
    }

    @Override
    public void replace(TimedReservation reservation) {
        statement(reservation, """
                        update reservation set nodes = ?, tenant = ?, starts_at = ?, ends_at = ?, version = version + 1
                        where name = ?
                        """).update();
    }

    private JdbcClient.StatementSpec statement(TimedReservation reservation, String sql) {
        return jdbc.sql(sql)
                .param(reservation.nodes().toArray(String[]::new))
                .param(reservation.tenant())
                .param(utc(reservation.start()))
                .param(utc(reservation.end()))
                .param(reservation.name());
    }

    private static @Nullable Object utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
}
