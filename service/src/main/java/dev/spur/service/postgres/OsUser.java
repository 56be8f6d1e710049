package dev.spur.service.postgres;

import dev.spur.service.StartupFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * As whom the server runs. PostgreSQL refuses to run as root, yet a container or a fresh machine often has nobody else.
 */
enum OsUser {
    /** The user of this process, who is not root. */
    SAME(""),

    /** Root outside, nobody in particular inside a user namespace: no rights beyond those of a file's owner. */
    USER_NAMESPACE("unshare --user"),

    /** The user "nobody", for containers that forbid user namespaces; the data directory is given to it. */
    NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

    private static final int ROOT_ID = 0;
    private static final int NOBODY_ID = 65534;

    private final String prefix;

    OsUser(String prefix) {
        this.prefix = prefix;
    }

    /**
     * The first way that works on this machine.
     *
     * @throws StartupFailure when this is root and there is no way
     */
    static OsUser ofThisMachine() throws IOException {
        if (!isRoot()) {
            return SAME;
        }
        for (OsUser user : List.of(USER_NAMESPACE, NOBODY)) {
            if (user.works()) {
                return user;
            }
        }
        throw new StartupFailure("PostgreSQL refuses to run as root, and neither unshare nor setpriv works here. "
                + "Start Spur as another user, or set SPUR_DATABASE_URL.");
    }

    /** The words that run {@code program} as this user. */
    List<String> run(Path program, List<String> arguments) {
        var words = new ArrayList<>(prefix());
        words.add(program.toString());
        words.addAll(arguments);
        return words;
    }

    /** Lets this user pass through directories of another one. It cannot list them. */
    void openWay(List<Path> directories) throws IOException {
        if (this == NOBODY) {
            for (Path directory : directories) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
                permissions.add(PosixFilePermission.OTHERS_EXECUTE);
                Files.setPosixFilePermissions(directory, permissions);
            }
        }
    }

    /**
     * Makes sure that this user can run a program of the Spur home.
     *
     * @throws StartupFailure when a directory above it is closed to this user
     */
    void requireReach(Path program) throws IOException {
        if (this != SAME
                && !new SystemCommand(run(Path.of("test"), List.of("-x", program.toString())))
                        .run("")
                        .succeeded()) {
            throw new StartupFailure(
                    "PostgreSQL refuses to run as root, and other users cannot reach %s. Set SPUR_HOME to a directory that they can enter, for example /var/lib/spur."
                            .formatted(program));
        }
    }

    /** Makes a tree belong to this user, who may have been another one at the last start. */
    void own(Path tree) throws IOException {
        if (this == SAME) {
            return;
        }
        int owner = this == NOBODY ? NOBODY_ID : ROOT_ID;
        if (!Integer.valueOf(owner).equals(Files.getAttribute(tree, "unix:uid"))) {
            FileTree.chown(tree, owner);
        }
    }

    private List<String> prefix() {
        return prefix.isEmpty() ? List.of() : List.of(prefix.split(" ", -1));
    }

    private boolean works() throws IOException {
        return Processes.isInstalled(prefix().get(0))
                && new SystemCommand(run(Path.of("true"), List.of())).run("").succeeded();
    }

    private static boolean isRoot() throws IOException {
        var id = new SystemCommand(List.of("id", "-u")).run("");
        return id.output().equals("0");
    }
}
