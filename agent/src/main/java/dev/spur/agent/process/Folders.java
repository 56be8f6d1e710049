package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Folders that jobs of other users read or write. No operation follows a link that a job can have created. */
final class Folders {
    /** All users can enter the folder, and only the owner can list it. */
    static final Set<PosixFilePermission> ENTER = PosixFilePermissions.fromString("rwx--x--x");
    /** Users of the group can enter the folder, and only the owner can list it. */
    static final Set<PosixFilePermission> ENTER_BY_GROUP = PosixFilePermissions.fromString("rwx--x---");
    /** Users of the group can read the folder. */
    static final Set<PosixFilePermission> READ_BY_GROUP = PosixFilePermissions.fromString("rwxr-x---");

    /** The folder is for its owner alone. */
    static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    private static final int WRITE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;

    private Folders() {}

    /**
     * Requires that no user other than root can replace the folder.
     *
     * @return its path without links
     * @throws IOException if one can change it, or a parent; the message contains the path and the remedy
     */
    static Path requireUnchangeable(Path folder) throws IOException {
        Path real = folder.toRealPath();
        for (Path part = real; part != null; part = part.getParent()) {
            int mode = (int) Files.getAttribute(part, "unix:mode");
            boolean sticky = (mode & STICKY) != 0 && !part.equals(real);
            if ((int) Files.getAttribute(part, "unix:uid") != 0 || ((mode & WRITE_BY_OTHERS) != 0 && !sticky)) {
                throw new IOException(
                        "users other than root can change %s, which contains %s: jobs run as other users, so root must own it (chown root %s; chmod go-w %s)"
                                .formatted(part, folder, part, part));
            }
        }
        return real;
    }

    /**
     * Creates a folder of {@code user} in a folder that only root can change, if it does not exist.
     *
     * @throws IOException if it exists and belongs to another user
     */
    static void createFor(JobUser user, Path folder) throws IOException {
        createFor(user, folder, Map.of());
    }

    /**
     * Creates a folder as {@link #createFor(JobUser, Path)} does, with files of {@code user}.
     *
     * @param files content by name
     */
    static void createFor(JobUser user, Path folder, Map<String, String> files) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path real = requireUnchangeable(parent(folder)).resolve(folder.getFileName());
            Files.createDirectory(real, PosixFilePermissions.asFileAttribute(OWN));
            for (Map.Entry<String, String> file : files.entrySet()) {
                give(user, Files.writeString(real.resolve(file.getKey()), file.getValue()));
            }
            // last, because the user can then replace the files by links
            give(user, real);
        }
        requireOwner(user, folder);
    }

    /** Creates the parent of a folder, if it does not exist, such that all users can enter it. */
    static void createParent(Path folder) throws IOException {
        Path parent = parent(folder);
        if (!Files.exists(parent)) {
            createParent(parent);
            Path real = requireUnchangeable(parent(parent)).resolve(parent.getFileName());
            Files.createDirectory(real);
            Files.setPosixFilePermissions(real, ENTER);
        }
    }

    /** Returns the parent of an absolute path. */
    static Path parent(Path folder) {
        return Objects.requireNonNull(folder.getParent(), "the root of the file system has no parent");
    }

    /** Creates a folder of this program with permissions for the group of {@code user}. */
    static void createForGroup(JobUser user, Path folder, Set<PosixFilePermission> permissions) throws IOException {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN));
        give(folder, "unix:gid", user.gid());
        Files.setPosixFilePermissions(folder, permissions);
    }

    private static void give(JobUser user, Path path) throws IOException {
        give(path, "unix:gid", user.gid());
        give(path, "unix:uid", user.uid());
    }

    private static void give(Path folder, String attribute, long id) throws IOException {
        Files.setAttribute(folder, attribute, (int) id, LinkOption.NOFOLLOW_LINKS);
    }

    private static void requireOwner(JobUser user, Path folder) throws IOException {
        long owner = Integer.toUnsignedLong((int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS));
        if (owner != user.uid() || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("%s is not a folder of the user %s, but belongs to the user id %d (chown -R %s %s)"
                    .formatted(folder, user.name(), owner, user.name(), folder));
        }
    }

    /** Deletes a folder with its content; no effect if it does not exist. */
    static void delete(Path folder) {
        try {
            boolean found = Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
            while (found) {
                found = deleteContent(folder);
            }
            Files.deleteIfExists(folder);
        } catch (NoSuchFileException gone) {
            // deleted concurrently
        } catch (DirectoryIteratorException e) {
            throw new UncheckedIOException(e.getCause());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Deletes the content of a folder that only this program can change. The folders within its folders become its own,
     * for the next call: so two are open at a time, however deep they are. Returns true if there was content.
     */
    private static boolean deleteContent(Path folder) throws IOException {
        UserPrincipal self = Files.getOwner(folder);
        boolean found = false;
        String above = ".deleted-%d-".formatted(System.nanoTime());
        int moved = 0;
        try (DirectoryStream<Path> content = Files.newDirectoryStream(folder)) {
            // always so on Linux
            SecureDirectoryStream<Path> top = (SecureDirectoryStream<Path>) content;
            for (Path path : top) {
                Path name = path.getFileName();
                found = true;
                if (!isFolder(top, name)) {
                    top.deleteFile(name);
                    continue;
                }
                seize(top, name, self);
                try (SecureDirectoryStream<Path> inner = top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    for (Path innerPath : inner) {
                        Path innerName = innerPath.getFileName();
                        if (isFolder(inner, innerName)) {
                            inner.move(innerName, top, Path.of(above + moved++));
                        } else {
                            inner.deleteFile(innerName);
                        }
                    }
                }
                top.deleteDirectory(name);
            }
        }
        return found;
    }

    /** Takes a folder away from its user, so that a process that has opened it can add nothing. */
    private static void seize(SecureDirectoryStream<Path> parent, Path name, UserPrincipal self) throws IOException {
        var view = parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.getOwner().equals(self)) {
            view.setOwner(self);
        }
        view.setPermissions(OWN);
    }

    private static boolean isFolder(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }
}
