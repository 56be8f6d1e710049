package dev.spur.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Version from {@code version.properties}, which the build writes. */
public final class ProgramVersion implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"Spur " + number()};
    }

    /** Returns the version number, such as 1.2.3. */
    public static String number() throws IOException {
        var properties = new Properties();
        try (InputStream file = ProgramVersion.class.getResourceAsStream("version.properties")) {
            properties.load(Objects.requireNonNull(file, "version.properties"));
        }
        return Objects.requireNonNull(properties.getProperty("version"), "version");
    }
}
