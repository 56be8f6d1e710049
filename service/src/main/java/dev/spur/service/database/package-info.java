/**
 * Access to PostgreSQL that all stores share: conversion of rows, batches, LISTEN and NOTIFY, the clock of the
 * database, and detection of failed writes. The stores themselves are in the packages of the data that they own.
 */
@NullMarked
package dev.spur.service.database;

import org.jspecify.annotations.NullMarked;
