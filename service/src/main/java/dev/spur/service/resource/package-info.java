/**
 * Resources that a caller creates, replaces and deletes by name: pools, nodes, tenants, groups, windows. One controller
 * and one table class implement conditional requests and pagination for all of them.
 */
@NullMarked
package dev.spur.service.resource;

import org.jspecify.annotations.NullMarked;
