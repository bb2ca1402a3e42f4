@echo off
rem Starts Inferometer with JDK 25 from JAVA_HOME or the PATH; builds it on first use.
setlocal
set "HERE=%~dp0"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
for /f "tokens=3" %%v in ('"%JAVA%" -version 2^>^&1 ^| findstr /i version') do set "VERSION=%%~v"
for /f "delims=." %%m in ("%VERSION%") do set "MAJOR=%%m"
if not defined MAJOR set "MAJOR=0"
if %MAJOR% LSS 25 (
  echo JDK 25 or newer was not found. Install one or set JAVA_HOME. 1>&2
  exit /b 2
)
if not exist "%HERE%target\inferometer.jar" (
  echo Building Inferometer... 1>&2
  pushd "%HERE%"
  call mvn -B -q -Dfast -DskipTests package || exit /b 3
  popd
)
set "VECTOR="
if "%~1"=="worker" set "VECTOR=--add-modules jdk.incubator.vector"
"%JAVA%" %VECTOR% --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC -Xms64m -Xmx1g -XX:MetaspaceSize=96m "-Dinferometer.home=%HERE%." -cp "%HERE%target\inferometer.jar;%HERE%target\lib\*" org.inferometer.app.Main %*
exit /b %ERRORLEVEL%
