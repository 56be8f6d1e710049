package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Operating-system user that runs the server. PostgreSQL does not run as root, but a container or a fresh machine often
 * has no other user.
 */
enum OsUser {
    /** The user of this process, which is not root. */
    SAME(""),

    /** Root outside a user namespace, an unprivileged user inside: no rights beyond those of a file's owner. */
    USER_NAMESPACE("unshare --user"),

    /** User 65534, for containers that forbid user namespaces. This user owns the data directory. */
    UNPRIVILEGED("setpriv --reuid=65534 --regid=65534 --clear-groups");

    private static final int ROOT_ID = 0;
    private static final int UNPRIVILEGED_ID = 65534;

    private final String prefix;

    OsUser(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Returns the first option that works on this machine.
     *
     * @throws EmbeddedPostgresException if this process runs as root and no option works
     */
    static OsUser ofThisMachine() throws IOException {
        if (!isRoot()) {
            return SAME;
        }
        for (OsUser user : List.of(USER_NAMESPACE, UNPRIVILEGED)) {
            if (user.works()) {
                return user;
            }
        }
        throw new EmbeddedPostgresException(
                "PostgreSQL does not run as root, and neither unshare nor setpriv works here. "
                        + "Start Spur as another user, or set SPUR_DATABASE_URL.");
    }

    /** Returns the command line that runs {@code program} as this user. */
    List<String> run(Path program, List<String> arguments) {
        var text = new ArrayList<>(prefix());
        text.add(program.toString());
        text.addAll(arguments);
        return text;
    }

    /** Lets this user traverse directories of another user. It cannot list them. */
    void openWay(List<Path> directories) throws IOException {
        if (this == UNPRIVILEGED) {
            for (Path directory : directories) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
                permissions.add(PosixFilePermission.OTHERS_EXECUTE);
                Files.setPosixFilePermissions(directory, permissions);
            }
        }
    }

    /**
     * Checks that this user can run a program of the Spur home.
     *
     * @throws EmbeddedPostgresException if a directory above it is not accessible to this user
     */
    void requireReach(Path program) throws IOException {
        if (this != SAME
                && !new SystemCommand(run(Path.of("test"), List.of("-x", program.toString())))
                        .run("")
                        .isSuccessful()) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL does not run as root, and other users cannot access %s. Set SPUR_HOME to a directory that they can access, for example /var/lib/spur."
                            .formatted(program));
        }
    }

    /** Makes this user the owner of a tree. The owner may have been another user at the last start. */
    void takeOwnership(Path tree) throws IOException {
        if (this == SAME) {
            return;
        }
        int owner = this == UNPRIVILEGED ? UNPRIVILEGED_ID : ROOT_ID;
        if (!Integer.valueOf(owner).equals(Files.getAttribute(tree, "unix:uid"))) {
            FileTree.chown(tree, owner);
        }
    }

    private List<String> prefix() {
        return prefix.isEmpty() ? List.of() : List.of(prefix.split(" ", -1));
    }

    private boolean works() throws IOException {
        return Processes.isInstalled(prefix().get(0))
                && new SystemCommand(run(Path.of("true"), List.of())).run("").isSuccessful();
    }

    private static boolean isRoot() throws IOException {
        var id = new SystemCommand(List.of("id", "-u")).run("");
        return id.output().equals("0");
    }
}
