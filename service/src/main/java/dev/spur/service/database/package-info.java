/**
 * Access to PostgreSQL that all stores share: conversion of rows, batches, LISTEN and NOTIFY, the clock of the
 * database, detection of failed writes, recovery after a restored backup, and deletion of expired rows. Requests for an
 * early scheduling round, which take effect at the commit, are an interface here. The stores themselves are in the
 * packages of the data that they own.
 */
@NullMarked
package dev.spur.service.database;

import org.jspecify.annotations.NullMarked;
