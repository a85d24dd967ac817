// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to JSON and back. Reading is forgiving about what is missing or unknown (it keeps the default) and
// strict about what is there with the wrong type: fromJson says where.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tilescope::protocol {

std::string encodeBase64(const Packed &packed);
bool decodeBase64(const std::string &text, Packed &packed);

template <typename T> nlohmann::json toJson(const T &value);

namespace detail {

template <typename T> struct IsVector : std::false_type {};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {};
template <typename T> struct IsArray : std::false_type {};
template <typename T, size_t N> struct IsArray<std::array<T, N>> : std::true_type {};
template <typename T> struct IsOptional : std::false_type {};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {};

struct Writer {
  nlohmann::json object = nlohmann::json::object();
  template <typename T> void operator()(const char *name, const T &value) {
    if constexpr (IsOptional<T>::value) {
      if (value)
        object[name] = toJson(*value);
    } else {
      object[name] = toJson(value);
    }
  }
};

/// Remembers the path of the first value of a wrong type.
struct Reader {
  const nlohmann::json &object;
  std::string path;
  std::string &error;

  template <typename T> void operator()(const char *name, T &value) {
    auto found = object.find(name);
    if (found != object.end())
      read(*found, value, path + "." + name, error);
  }

  /// False for a number with a fraction, or out of T's range.
  template <typename T> static bool readInteger(const nlohmann::json &json, T &value) {
    auto take = [&](auto number) {
      value = static_cast<T>(number);
      return std::in_range<T>(number);
    };
    if (json.is_number_unsigned())
      return take(json.get<uint64_t>());
    return json.is_number_integer() && take(json.get<int64_t>());
  }

  template <typename T>
  static void read(const nlohmann::json &json, T &value, const std::string &path, std::string &error) {
    auto mismatch = [&] {
      if (error.empty())
        error = path;
    };
    if constexpr (IsOptional<T>::value) {
      if (json.is_null())
        return value.reset();
      typename T::value_type inner{};
      read(json, inner, path, error);
      value = std::move(inner);
    } else if constexpr (IsVector<T>::value) {
      if (!json.is_array())
        return mismatch();
      value.clear();
      for (const nlohmann::json &item : json)
        read(item, value.emplace_back(), path + "[]", error);
    } else if constexpr (IsArray<T>::value) {
      if (!json.is_array() || json.size() != value.size())
        return mismatch();
      for (size_t i = 0; i < value.size(); ++i)
        read(json[i], value[i], path + "[]", error);
    } else if constexpr (std::is_same_v<T, std::string>) {
      json.is_string() ? void(value = json.get_ref<const std::string &>()) : mismatch();
    } else if constexpr (std::is_same_v<T, bool>) {
      json.is_boolean() ? void(value = json.get<bool>()) : mismatch();
    } else if constexpr (std::is_integral_v<T>) {
      readInteger(json, value) ? void() : mismatch();
    } else if constexpr (std::is_floating_point_v<T>) {
      json.is_number() ? void(value = json.get<T>()) : mismatch();
    } else if constexpr (std::is_same_v<T, Packed>) {
      if (!json.is_string() || !decodeBase64(json.get_ref<const std::string &>(), value))
        mismatch();
    } else {
      if (!json.is_object())
        return mismatch();
      Reader reader{json, path, error};
      T::fields(value, reader);
    }
  }
};

} // namespace detail

template <typename T> nlohmann::json toJson(const T &value) {
  if constexpr (detail::IsVector<T>::value || detail::IsArray<T>::value) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto &item : value)
      list.push_back(toJson(item));
    return list;
  } else if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (std::is_same_v<T, Packed>) {
    return encodeBase64(value);
  } else {
    detail::Writer writer;
    T::fields(value, writer);
    return std::move(writer.object);
  }
}

/// False if something has the wrong type; `error` then says where, such as "$.range.start".
template <typename T> bool fromJson(const nlohmann::json &json, T &value, std::string &error) {
  error.clear();
  detail::Reader::read(json, value, "$", error);
  return error.empty();
}

} // namespace tilescope::protocol
