package dev.spur.service.resource;

import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Store of resources with a name that the caller chooses. Changes must run in a transaction. */
public interface NamedStore<T> {
    /** Returns the first {@code limit} resources within the scope whose name comes after {@code after}, by name. */
    List<Versioned<T>> list(AccessScope reach, String after, int limit);

    /** Returns the resource with this name. */
    Optional<Versioned<T>> find(String name);

    /** Returns the resource with this name and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    Optional<Versioned<T>> lock(String name);

    /** Adds a resource with version 1. Returns false if the name exists. */
    @Transactional(propagation = Propagation.MANDATORY)
    boolean insert(T value);

    /** Replaces the resource of the same name and raises its version. */
    @Transactional(propagation = Propagation.MANDATORY)
    void replace(T value);

    /** Deletes a resource. Returns false if another row refers to it. */
    @Transactional(propagation = Propagation.MANDATORY)
    boolean delete(String name);
}
