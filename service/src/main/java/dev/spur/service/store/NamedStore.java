package dev.spur.service.store;

import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Optional;

/** Resources that are known by a name that somebody else chose. Changes belong into a transaction. */
public interface NamedStore<T> {
    /** The first {@code limit} resources within reach whose name comes after {@code after}, by name. */
    List<Versioned<T>> list(AccessScope reach, String after, int limit);

    /** The resource of that name. */
    Optional<Versioned<T>> find(String name);

    /** The same; it stays as it is until the transaction ends. */
    Optional<Versioned<T>> lock(String name);

    /** Adds a resource, with version 1; false if there is one of that name. */
    boolean insert(T value);

    /** Replaces the resource of the same name; its version rises. */
    void replace(T value);

    /** Removes a resource that nothing refers to; false if something does. */
    boolean delete(String name);
}
