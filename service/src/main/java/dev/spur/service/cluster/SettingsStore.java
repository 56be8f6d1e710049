package dev.spur.service.cluster;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Versioned;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Settings of the installation. Before the first change, the defaults apply at version 0. */
@Repository
public class SettingsStore {
    private final JdbcClient jdbc;

    SettingsStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the current settings. */
    public Versioned<Settings> current() {
        return jdbc.sql("select body::text as body, version from settings")
                .query((row, index) -> new Versioned<>(
                        RoundJson.mapper().readValue(row.getString("body"), Settings.class), row.getLong("version")))
                .optional()
                .orElse(new Versioned<>(Settings.DEFAULT, 0));
    }

    /** Replaces the settings. Returns false if {@code version} is not the current version. */
    public boolean replace(Settings settings, long version) {
        String body = RoundJson.mapper().writeValueAsString(settings);
        String sql = version == 0
                ? "insert into settings (body, version) values (cast(? as jsonb), ? + 1) on conflict do nothing"
                : "update settings set body = cast(? as jsonb), version = version + 1 where version = ?";
        return jdbc.sql(sql).params(body, version).update() == 1;
    }
}
